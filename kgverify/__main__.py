"""`python -m kgverify` is the command `kgverify`."""

from kgverify.cli.app import main

if __name__ == "__main__":
    main()
