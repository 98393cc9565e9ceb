"""The words that made-up caption trees are filled with; written for this purpose."""

SOURCES = (
    "man woman person child baby girl boy dog cat bird duck goose cow horse pig goat sheep frog "
    "rooster chicken owl pigeon cricket bee fly insect snake lion wolf mouse animal adult male "
    "female lady guy toddler infant crowd audience announcer speaker singer engine motor car "
    "truck bus train motorcycle helicopter airplane plane jet boat motorboat vehicle tractor "
    "lawnmower chainsaw drill saw machine printer typewriter keyboard phone telephone radio "
    "television clock alarm siren horn bell door toilet faucet tap fan vacuum blender microwave "
    "dishwasher sink rain wind water wave ocean stream river waterfall thunder storm fire "
    "firework gun cannon rifle music guitar piano drum violin flute whistle voice speech footstep "
    "glass metal wood plastic paper bag leaf tree gravel floor table tool hammer file knife spoon "
    "pan pot oil food camera computer device object tire brake skateboard ball bicycle cart "
    "traffic elevator balloon bubble liquid steam gas air spray can bottle chain key coin zipper "
    "cloth rope microphone signal tone beep click sound noise hum buzz echo static applause "
    "laughter kid puppy kitten lamb bull elephant whale dolphin turkey parrot crow gull hen "
    "rodent reporter commentator narrator passenger worker pedestrian choir band player chef "
    "kettle grill stove oven dish plate cup fork cutlery drawer gate shutter curtain window hinge "
    "lock latch screw nail rotor propeller piston compressor generator pump hose sprinkler shower "
    "bathtub gutter pipe drain puddle brook shoreline surf rock stone pebble twig branch grass "
    "hay snow ice mud sand subway tram scooter bike wheel pedal van ambulance lorry aircraft "
    "drone rocket missile explosion gunshot bomb artillery toy game slot dial button switch lever "
    "crank handle wrench broom mop brush sandpaper pencil pen stapler scanner modem projector "
    "tape record flag tent"
).split()
USUAL_SOURCES = (
    "man woman person child dog bird car engine vehicle train horn adult male female baby water"
).split()
PLURAL_ONLY = ("people", "children", "men", "women", "birds", "dogs", "insects", "vehicles")
MASS = (
    "water rain wind thunder music traffic laughter applause speech static fire air steam oil "
    "metal wood glass paper gravel food liquid plastic gas"
).split()
ACTS = (
    "speak talk laugh cry shout yell scream whisper sing cough sneeze snore breathe burp hiccup "
    "giggle chuckle mumble whistle clap cheer walk run bark growl howl whimper pant meow purr "
    "hiss chirp tweet sing quack honk moo neigh oink bleat croak crow cluck hoot coo buzz hum "
    "drone rev idle accelerate decelerate start stop vibrate rumble roar rattle clank clang "
    "clatter squeal screech squeak creak ring beep click tick chime toll wail blare blow sound "
    "play drip splash pour flow gurgle trickle rush fall patter crash flush spray bubble boil "
    "sizzle crackle explode fire pop bang thump thud knock tap hit slam close open rustle crinkle "
    "crumple scrape scratch rub grind saw drill hammer cut chop type spin whir whine swoosh "
    "whoosh fly pass move approach drive travel operate work crack snap shuffle stomp gallop trot "
    "flap echo fade continue occur hammer howl jingle clink strum skid sputter chug toot converse "
    "chatter babble murmur applaud land hover taxi speed slow clack clunk clop yip yelp squawk "
    "caw gobble grunt snort sniff sniffle wheeze sob sigh gasp groan moan belch fart holler chant "
    "narrate announce answer reply call respond vocalize ding bleep boom blast burst break "
    "shatter crunch crush slap smack slide roll bounce shift swish slosh lap dribble ripple "
    "flutter shut lock turn spill leak drain simmer fry burn stir chew gulp swallow slurp sip "
    "whip whirl rotate zoom zip unzip step march climb jump kick swing cool settle begin happen "
    "resume increase decrease swell rise arrive leave depart enter come go race idle stall crank "
    "warm beat drum pluck tune toll peck"
).split()
# Words that name a sound and say that it is made: "a pop", "a balloon pops".
NOUN_OR_VERB = (
    "bark honk pop bang beep click crow hum rattle whistle splash crash crack creak squeak squeal "
    "screech thump thud tap knock buzz chirp growl howl roar rumble ring chime toot clang clank "
    "clatter clink crunch drip echo burp cough sneeze laugh cry scream shout yell snore hiss hoot "
    "meow moo neigh oink quack purr croak cluck coo tweet whimper whine moan groan grunt sigh "
    "gasp boom blast ding bleep yip yelp squawk snort sniff swish swoosh whoosh slap smack snap "
    "scrape scratch rustle ripple flutter flap stomp step walk run drive land stop start turn "
    "pass call break burst drop fall hit kick roll slam slide spin spray swing talk whisper work "
    "flush gallop trot gurgle trickle sizzle crackle thunder drum drill hammer saw file horn pump "
    "play sound bounce"
).split()
HAPPENING = "occur happen begin start continue follow sound stop end resume ensue echo".split()
USUAL_ACTS = "speak talk laugh run bark blow chirp play ring cry rev pass".split()
DOINGS = (
    "use operate play ring open close hit strike drop pour cut file sand drill hammer tap shake "
    "turn start crumple tear rip shuffle scrape spray fill move drag blow ride drive wash make "
    "give flap rattle slam pump honk sound crack bounce throw push pull press rub stir load fold "
    "brush sweep kick roll clear hold read sing call answer imitate produce emit deliver repeat "
    "break"
).split()
STARTING = "start begin continue try attempt stop keep".split()
DONE = (
    "play use pour operate strike hit ring open close drop fire rev start turn cut move trigger "
    "shake rub scrape tap type sand drill hammer press pull push drag shut slam lock flush stir "
    "fry crumple tear fold blow throw break crush load pump spray wash brush amplify record "
    "distort"
).split()
PERCEIVED = "hear hear hear notice detect record make produce".split()
GROWING = "get get become grow turn".split()
MORE = "louder softer quieter closer faster slower faint loud quiet distant lower higher".split()
PACES = "pace rate speed volume pitch frequency rhythm distance manner way fashion".split()
SET_ADVERBS = ("back and forth", "over and over", "again and again", "on and off", "in and out")
QUALITIES = (
    "loud soft quiet low high distant nearby faint muffled heavy light gentle strong steady "
    "constant continuous repetitive rhythmic sharp deep hollow metallic wooden electronic "
    "mechanical musical dull large small big young old male female human adult rapid fast slow "
    "brief short long multiple various different strange electric industrial emergency sudden "
    "background high-pitched low-frequency whistling buzzing humming rustling rumbling running "
    "hard foreign little quick slight intermittent consistent moderate medium wet dry squeaky "
    "crowded empty busy wooden natural digital ambient occasional regular powerful elderly tiny "
    "single"
).split()
MANNERS = (
    "loudly softly quietly faintly continuously repeatedly rapidly slowly gently heavily steadily "
    "nearby far away briefly intermittently occasionally quickly together rhythmically outside "
    "simultaneously closer outdoors indoors again twice once overhead lightly deeply sharply "
    "suddenly constantly consistently excitedly smoothly frantically distantly afterwards inside "
    "louder harder aloud calmly clearly abruptly vigorously further somewhere outside"
).split()
PLACES = (
    "background distance foreground room street house kitchen park forest field city water ground "
    "floor roof window road track river church hall station tunnel garage pond farm yard wall car "
    "microphone radio television distance background background distance surface shore beach path "
    "pavement sidewalk gravel grass snow bridge lake pool sea stadium restaurant office market "
    "school stairs hallway bathroom basement cave valley barn cage bucket bowl sink container"
).split()
BEFORE_PLACES = (
    "in on over through down against into onto near from inside under along across around at "
    "beside behind by outside past to up upon within off amid between among towards"
).split()
PARTS = "group crowd number series pair set couple lot bit variety piece body burst".split()
SOUND_WORDS = "sound noise hum buzz whir clanking rumble roar echo squeal ringing beeping".split()
MODIFIERS = (
    "train car vehicle truck motorcycle police water wind bird dog church alarm horse metal glass "
    "sewing washing machine gun fire door electric engine motor traffic radio telephone race "
    "helicopter airplane aircraft power steam bicycle background thunder baby crowd music"
).split()
PARTICLES = "up by off down out away past on around".split()
