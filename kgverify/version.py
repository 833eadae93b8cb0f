"""The version of kgverify, one place for the package, the wheel and the pins of a verdict."""

VERSION = "0.1.0"
