"""More words for made-up captions: of scenes, tools, animals; words that are nouns and verbs.

Kept apart from `caption_words`, from which the captions are drawn that the shipped parser learned.
"""

from earmark.tasks.captions.train import caption_words as usual
from earmark.tasks.captions.train.caption_words import (
    MASS,
    MODIFIERS,
    PARTICLES,
    PARTS,
    PLURAL_ONLY,
    SOUND_WORDS,
    STARTING,
    USUAL_ACTS,
    USUAL_SOURCES,
)

__all__ = (
    "MASS",
    "MODIFIERS",
    "PARTICLES",
    "PARTS",
    "PLURAL_ONLY",
    "SOUND_WORDS",
    "STARTING",
    "USUAL_ACTS",
    "USUAL_SOURCES",
)
SOURCES = (
    *usual.SOURCES,
    *(
        "kid puppy kitten lamb bull elephant whale dolphin turkey parrot crow gull hen rodent "
        "reporter commentator narrator passenger worker pedestrian choir band player chef kettle "
        "grill stove oven dish plate cup fork cutlery drawer gate shutter curtain window hinge "
        "lock latch screw nail rotor propeller piston compressor generator pump hose sprinkler "
        "shower bathtub gutter pipe drain puddle brook shoreline surf rock stone pebble twig "
        "branch grass hay snow ice mud sand subway tram scooter bike wheel pedal van ambulance "
        "lorry aircraft drone rocket missile explosion gunshot bomb artillery toy game slot dial "
        "button switch lever crank handle wrench broom mop brush sandpaper pencil pen stapler "
        "scanner modem projector tape record flag tent"
    ).split(),
)
ACTS = (
    *usual.ACTS,
    *(
        "murmur applaud land hover taxi speed slow clack clunk clop yip yelp squawk caw gobble "
        "grunt snort sniff sniffle wheeze sob sigh gasp groan moan belch fart holler chant "
        "narrate announce answer reply call respond vocalize ding bleep boom blast burst break "
        "shatter crunch crush slap smack slide roll bounce shift swish slosh lap dribble ripple "
        "flutter shut lock turn spill leak drain simmer fry burn stir chew gulp swallow slurp sip "
        "whip whirl rotate zoom zip unzip step march climb jump kick swing cool settle begin "
        "happen resume increase decrease swell rise arrive leave depart enter come go race idle "
        "stall crank warm beat drum pluck tune toll peck"
    ).split(),
)
# Words that name a sound and say that it is made: "a pop", "a balloon pops".
NOUN_OR_VERB = (
    "bark honk pop bang beep click crow hum rattle whistle splash crash crack creak squeak "
    "squeal screech thump thud tap knock buzz chirp growl howl roar rumble ring chime toot "
    "clang clank clatter clink crunch drip echo burp cough sneeze laugh cry scream shout yell "
    "snore hiss hoot meow moo neigh oink quack purr croak cluck coo tweet whimper whine moan "
    "groan grunt sigh gasp boom blast ding bleep yip yelp squawk snort sniff swish swoosh "
    "whoosh slap smack snap scrape scratch rustle ripple flutter flap stomp step walk run "
    "drive land stop start turn pass call break burst drop fall hit kick roll slam slide spin "
    "spray swing talk whisper work flush gallop trot gurgle trickle sizzle crackle thunder "
    "drum drill hammer saw file horn pump play sound bounce"
).split()
HAPPENING = ("occur happen begin start continue follow sound stop end resume ensue echo").split()
DOINGS = (
    *usual.DOINGS,
    *(
        "make give flap rattle slam pump honk sound crack bounce throw push pull press rub stir "
        "load fold brush sweep kick roll clear hold read sing call answer imitate produce emit "
        "deliver repeat break"
    ).split(),
)
DONE = (
    *usual.DONE,
    *(
        "trigger shake rub scrape tap type sand drill hammer press pull push drag shut slam lock "
        "flush stir fry crumple tear fold blow throw break crush load pump spray wash brush "
        "amplify record distort"
    ).split(),
)
PERCEIVED = ("hear hear hear notice detect record make produce").split()
GROWING = ("get get become grow turn").split()
MORE = ("louder softer quieter closer faster slower faint loud quiet distant lower higher").split()
PACES = ("pace rate speed volume pitch frequency rhythm distance manner way fashion").split()
SET_ADVERBS = ("back and forth", "over and over", "again and again", "on and off", "in and out")
QUALITIES = (
    *usual.QUALITIES,
    *(
        "hard foreign little quick slight intermittent consistent moderate medium wet dry squeaky "
        "crowded empty busy wooden natural digital ambient occasional regular powerful elderly "
        "tiny single"
    ).split(),
)
MANNERS = (
    *usual.MANNERS,
    *(
        "again twice once overhead lightly deeply sharply suddenly constantly consistently "
        "excitedly smoothly frantically distantly afterwards inside louder harder aloud calmly "
        "clearly abruptly vigorously further somewhere outside"
    ).split(),
)
PLACES = (
    *usual.PLACES,
    *(
        "surface shore beach path pavement sidewalk gravel grass snow bridge lake pool sea "
        "stadium restaurant office market school stairs hallway bathroom basement cave valley "
        "barn cage bucket bowl sink container"
    ).split(),
)
BEFORE_PLACES = (
    *usual.BEFORE_PLACES,
    *(
        "across around at beside behind by outside past to up upon within off amid between among "
        "towards"
    ).split(),
)
