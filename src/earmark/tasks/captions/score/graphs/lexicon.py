"""Words that the rules of caption graphs ask about; all lists are written by hand."""

NOUNS = frozenset(("NOUN", "PROPN"))
SUBJECTS = frozenset(("nsubj", "nsubj:pass", "nsubj:outer"))
RELATIVE = frozenset(("that", "which", "who", "whom"))
PERSONAL = frozenset(("he", "she", "they"))  # "it" rains
EITHER = frozenset("adult baby child infant kid person speaker toddler".split())
MALE = frozenset("boy father gentleman guy male man".split()) | EITHER
FEMALE = frozenset("female girl lady mother woman".split()) | EITHER
PEOPLE = {"he": MALE, "his": MALE, "she": FEMALE, "her": FEMALE}
POSSESSIVE = frozenset(("his", "her", "their", "its"))
# A in "A of B" that is no thing beside B: how many, which kind, how much of it, or its sound. Of
# other nouns ("the ticking of a clock", "the roof of a car") B has A. Written by hand.
PARTITIVE = frozenset(
    "amount array bit bits blend body bottle bowl bucket bunch burst chorus cluster collection "
    "combination couple crowd cup dozen echo flock form frequency glass group gust gaggle handful "
    "herd hundred kind litter lot majority mix mixture multitude noise number pack pair piece pile "
    "plenty portion pot puff range round row sequence series set sheet sort sound stack stream "
    "string succession swarm thousand ton type variety volley".split()
)
# "a snake hissing noise" is a noise, not what the snake does something to; but it makes a noise.
SOUNDS = frozenset(("noise", "sound"))
MAKING = frozenset("cause create emit give hear imitate make mimic play produce record".split())
# Where sounds are: "with sirens in the distance" says where the sirens are.
AWAY, WITH = frozenset(("background", "distance", "foreground")), "with"
TIMES = frozenset(("time", "moment"))  # a duck quacks a single time
PITCHED, FOLLOWED = "pitched", "followed"
HIGH_OR_LOW = frozenset(("high", "low", "higher", "lower"))  # before "pitched"
# Verbs of captions that take an object: of these, "opens and closes a door" opens a door too,
# while "speaks and closes a door" speaks no door. Written by hand.
TRANSITIVE = frozenset(
    "adjust bang beat blow bounce break brush bump carry catch chew chop clean clear close crack "
    "crumple crush cut drag drop eat fill flip flush fold grab grind hammer hit hold jiggle kick "
    "knock lift load lock manipulate mix move open operate pick place play pluck pound pour press "
    "pull pump push raise rattle release ring roll rub rustle saw scrape scratch scrub shake shift "
    "shoot shuffle shut slam slap slide smash splash spray squeeze start stir stop strike strum "
    "sweep swing switch take tap tear throw toss touch turn twist unlock unwrap use wash wipe "
    "wrap".split()
)
