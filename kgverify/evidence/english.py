"""What the rule-based judge knows of English: closed word classes, irregular verbs, and cues.

No relation of any rule file is in here: what a relation is called is the rule file's to say.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import snowballstemmer

from kgverify.evidence.wordlists import word_set

# ------------------------------------------------------------------ verbs

BE = word_set("is are was were be been being am 're")
PRESENT = word_set("is are has have does do am 're 've")
PAST = word_set("was were had did")
AUXILIARY = word_set("has have had having do does did 've 'd get gets got getting") | BE
# Verbs that join a thing with what it is, as `be` does.
LINKING = word_set(
    "remain remains serve serves constitute constitutes represent represents stay stays"
)
BECOMING = word_set("become becomes became becoming")

_IRREGULAR = """
have has had having|do does did done doing|bear bore born borne|begin began begun|bind bound
break broke broken|bring brought|build built|buy bought|choose chose chosen|come came
draw drew drawn|drive drove driven|eat ate eaten|fall fell fallen|feed fed|fight fought|find found
fly flew flown|found founded|get got gotten|give gave given|go went gone|grow grew grown|hold held
keep kept|know knew known|lead led|leave left|lend lent|lie lay lain lying lies|lose lost
make made|mean meant|meet met|pay paid|rise rose risen|run ran|say said|see saw seen|seek sought
sell sold|send sent|set setting|shoot shot|sing sang sung|sit sat|speak spoke spoken|spend spent
stand stood|steal stole stolen|strike struck stricken|take took taken|teach taught|tell told
think thought|wear wore worn|wed wedded|win won|write wrote written writing|die died dying dies
arise arose arisen|bleed bled|breed bred|forbid forbade forbidden|overcome overcame
undergo underwent undergone
"""
IRREGULAR = {
    form: forms.split()[0]
    for line in _IRREGULAR.strip().splitlines()
    for forms in line.split("|")
    for form in forms.split()
}
IRREGULAR_PAST = word_set(
    "bore began broke brought built bought chose came drew drove ate fell fed fought found flew "
    "got gave went grew held kept knew led left lent lay lost made meant met paid rose ran said "
    "saw sought sold sent shot sang sat spoke spent stood stole struck took taught told thought "
    "wore won wrote arose bled bred forbade overcame underwent became"
)
IRREGULAR_NOUNS = {
    "children": "child",
    "people": "person",
    "persons": "person",
    "men": "man",
    "women": "woman",
    "wives": "wife",
    "lives": "life",
    "neighbor": "neighbour",
    "neighbors": "neighbour",
    "neighbours": "neighbour",
    "neighboring": "neighbouring",
}

# ------------------------------------------------------------------ small words

DETERMINERS = word_set("the a an this that these those its his her their our my your some any both")
PREPOSITIONS = word_set(
    "of in on at to for from by with within into near against between among over under through "
    "across along around about after before since until till as during towards toward beyond "
    "outside inside upon off via per than"
)
CONJUNCTIONS = word_set(
    "and or but nor yet so while whereas although though because unless whether if"
)
RELATIVE = word_set("who which that whom whose where when")
# Without the plurals, which may stand for several things.
SUBJECT_PRONOUNS = word_set("he she it")
OBJECT_PRONOUNS = word_set("him her it")
POSSESSIVE_PRONOUNS = word_set("his her its")
PRONOUNS = SUBJECT_PRONOUNS | OBJECT_PRONOUNS | word_set("i we you they me us them one")
NOBODY = word_set("nobody none no-one nothing no neither")
MODALS = word_set("can could may might must shall should will would ought 'll cannot")
ADVERBS = word_set(
    "also still now today currently presently always often usually commonly widely mainly mostly "
    "chiefly largely primarily officially again later then there here indeed in-fact too very "
    "well first second-line first-line even just already soon thus therefore hence however "
    "moreover meanwhile finally eventually together both all each once more less most least only "
    "solely twice sometimes frequently generally typically regularly longer originally "
    "effectively successfully directly legally formally quite rather fully partly partially ever "
    "long jointly simply"
)
SEPARATORS = word_set(", and or & as-well-as")
# Numbers of people and the like, where somebody does what a text says of nobody in particular.
SOMEBODY = word_set(
    "people most many some everyone everybody person persons residents inhabitants citizens "
    "doctors physicians clinicians patients they we you one locals population majority"
)

# Adjectives that leave what a thing is as it is.
HARMLESS = word_set(
    "current present national official modern main principal chief central new old large largest "
    "big biggest small smallest great greater beautiful famous well-known known sole only first "
    "second third eldest oldest youngest elder younger older dear beloved late own important "
    "major minor common frequent rare severe mild chronic acute serious persistent typical "
    "frequently-reported primary busy populous northern southern eastern western coastal inland "
    "permanent long short direct effective standard usual established recognised recognized "
    "designated legal constitutional de facto jure whole entire full legitimate natural "
    "biological single several many few two three four five six seven eight nine ten native dry "
    "land well very federal"
)
TITLES = word_set(
    "king queen prince princess emperor empress tsar tsarina duke duchess count countess earl "
    "lord lady sir dame dr doctor professor prof mr mrs ms miss president chancellor minister "
    "saint st pope captain general colonel kaiser grand archduke archduchess baron baroness"
)
# What may stand before a place's name without making it another place.
SORTS = word_set(
    "republic kingdom state city town island province commonwealth federation union film book "
    "play song country nation village municipality duchy principality empire"
)

# ------------------------------------------------------------------ cues

NEGATION = word_set(
    "not n't never no neither nor none nobody nothing without hardly scarcely barely"
)
# Verbs and nouns that turn what they govern into its opposite.
DENIALS = word_set(
    "mistake deny denies denied denying denial false falsely wrong wrongly incorrect incorrectly "
    "untrue mistaken mistakenly myth misconception fallacy refute refuted refutes disprove "
    "disproved disproves fail fails failed refuse refused refuses error erroneous erroneously "
    "lack lacks cease ceases ceased stop stopped reject rejected rejects avoid avoids avoided "
    "dispel dispelled"
)
# What takes back the statement before it.
RETRACTIONS = word_set(
    "withdrew withdrawn retracted retracts retraction corrected debunked disproved refuted "
    "discredited false wrong untrue incorrect unfounded baseless hoax myth"
)
HEDGES = word_set(
    "may might could would should perhaps possibly maybe probably likely unlikely allegedly "
    "reportedly supposedly apparently presumably purportedly potentially possible probable "
    "doubtful doubtfully unclear uncertain unsure unconfirmed disputed controversial questionable "
    "alleged rumoured rumored rumour rumor rumours rumors speculation hypothetically "
    "theoretically conceivably seem seems seemed appear appears appeared suspected suspect "
    "suspects arguably ostensibly debatable debated tentatively so-called unproven unverified "
    "supposed presumed assumed nearly almost virtually practically can"
)
PLANS = word_set(
    "will shall 'll plan plans planned planning intend intends intended hope hopes hoped want "
    "wants wanted wish wishes wished propose proposes proposed proposal expect expects expected "
    "aim aims scheduled due try tries tried trying attempt attempts attempted consider considers "
    "considered going ought must engaged future next promise promised promises candidate bid "
    "upcoming set proposing considering recommend recommends recommended investigated studied "
    "tested evaluated"
)
REPORTS = word_set(
    "say says said claim claims claimed report reports reported reporting believe believes "
    "believed belief think thinks thought assume assumes argue argues argued allege alleges "
    "suggest suggests suggested insist insists insisted maintain maintains maintained assert "
    "asserts asserted guess guessed wonder wonders wondered ask asks asked story stories legend "
    "theory hypothesis opinion dream dreamed dreamt imagine imagines imagined pretend pretends "
    "pretended according accused hear heard contend contends contended speculate speculated "
    "speculates suspect feel feels felt tabloid gossip fear fears feared doubt doubts doubted "
    "question questioned idea notion tale rumour rumours view told tells tell estimate estimated "
    "estimates swore joked joke argument consensus"
)
FACTIVE = word_set(
    "know knows knew known show shows showed shown prove proves proved proven confirm confirms "
    "confirmed establish established demonstrate demonstrated demonstrates fact true clear "
    "certain evident obvious realise realised realize realized remember remembered learn learned "
    "note noted notes recall recalled"
)
CONDITIONS = word_set("if unless whether suppose supposing provided assuming")
FICTION = word_set(
    "novel film movie story play series dream game fiction poem legend opera fable tale myth "
    "mythology episode novels films manga comic satire parody alternate alternative fictional "
    "fictitious thriller"
)
ENDED = word_set(
    "former formerly ex previously once historically previous erstwhile ex- one-time past ancient "
    "medieval colonial deposed abolished defunct temporarily briefly provisional interim"
)
ENDINGS = word_set("until till before")
APPROXIMATE = word_set(
    "about around approximately roughly circa c ca some nearly almost ~ ≈ estimated"
)
ABOVE = word_set("over above exceeding exceeds exceeded")
BELOW = word_set("under below")

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sep sept",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
NUMBER_WORDS = {
    word: number
    for number, word in enumerate(
        (
            *(
                "zero",
                "one",
                "two",
                "three",
                "four",
                "five",
                "six",
                "seven",
                "eight",
                "nine",
                "ten",
            ),
            *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
            *("eighteen", "nineteen", "twenty"),
        )
    )
} | {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
MULTIPLES = {
    "hundred": 10**2,
    "thousand": 10**3,
    "million": 10**6,
    "m": 10**6,
    "mn": 10**6,
    "billion": 10**9,
    "bn": 10**9,
    "trillion": 10**12,
    "dozen": 12,
}

FUNCTION = (
    DETERMINERS
    | PREPOSITIONS
    | CONJUNCTIONS
    | RELATIVE
    | PRONOUNS
    | AUXILIARY
    | MODALS
    | ADVERBS
    | NEGATION
    | LINKING
    | BECOMING
    | word_set(
        "there here what why how thus both either such other others another each every most many "
        "few several all more yes ok not only during despite according unlike like instead today "
        "yesterday tomorrow perhaps maybe supposedly reportedly allegedly contrary did does do is "
        "are was were has have had"
    )
)


def is_adverb(word: str) -> bool:
    """Can a word stand between a verb and its auxiliary without changing what is said?"""
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in HEDGES)


def is_past(word: str) -> bool:
    """Is a word a verb's past form by its looks?"""
    return word in IRREGULAR_PAST or word in PAST or (word.endswith("ed") and len(word) > 3)


@lru_cache(1 << 16)
def lemma(word: str) -> str:
    """A word without its English ending: `treats`, `treated` and `treating` are one."""
    known = IRREGULAR.get(word) or IRREGULAR_NOUNS.get(word)
    return known or str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    return snowballstemmer.stemmer("english")
