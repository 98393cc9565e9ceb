"""The words that made-up caption trees are filled with; written for this purpose."""

SOURCES = (
    "man woman person child baby girl boy dog cat bird duck goose cow horse pig goat sheep frog "
    "rooster chicken owl pigeon cricket bee fly insect snake lion wolf mouse animal adult male "
    "female lady guy toddler infant crowd audience announcer speaker singer engine motor car truck "
    "bus train motorcycle helicopter airplane plane jet boat motorboat vehicle tractor lawnmower "
    "chainsaw drill saw machine printer typewriter keyboard phone telephone radio television clock "
    "alarm siren horn bell door toilet faucet tap fan vacuum blender microwave dishwasher sink "
    "rain wind water wave ocean stream river waterfall thunder storm fire firework gun cannon "
    "rifle music guitar piano drum violin flute whistle voice speech footstep glass metal wood "
    "plastic paper bag leaf tree gravel floor table tool hammer file knife spoon pan pot oil food "
    "camera computer device object tire brake skateboard ball bicycle cart traffic elevator "
    "balloon bubble liquid steam gas air spray can bottle chain key coin zipper cloth rope "
    "microphone signal tone beep click sound noise hum buzz echo static applause laughter"
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
    "giggle chuckle mumble whistle clap cheer walk run bark growl howl whimper pant meow purr hiss "
    "chirp tweet sing quack honk moo neigh oink bleat croak crow cluck hoot coo buzz hum drone "
    "rev idle accelerate decelerate start stop vibrate rumble roar rattle clank clang clatter "
    "squeal screech squeak creak ring beep click tick chime toll wail blare blow sound play drip "
    "splash pour flow gurgle trickle rush fall patter crash flush spray bubble boil sizzle crackle "
    "explode fire pop bang thump thud knock tap hit slam close open rustle crinkle crumple scrape "
    "scratch rub grind saw drill hammer cut chop type spin whir whine swoosh whoosh fly pass move "
    "approach drive travel operate work crack snap shuffle stomp gallop trot flap echo fade "
    "continue occur hammer howl jingle clink strum skid sputter chug toot converse chatter babble"
).split()
USUAL_ACTS = "speak talk laugh run bark blow chirp play ring cry rev pass".split()
DOINGS = (
    "use operate play ring open close hit strike drop pour cut file sand drill hammer tap shake "
    "turn start crumple tear rip shuffle scrape spray fill move drag blow ride drive wash"
).split()
STARTING = "start begin continue try attempt stop keep".split()
DONE = "play use pour operate strike hit ring open close drop fire rev start turn cut move".split()
QUALITIES = (
    "loud soft quiet low high distant nearby faint muffled heavy light gentle strong steady "
    "constant continuous repetitive rhythmic sharp deep hollow metallic wooden electronic "
    "mechanical musical dull large small big young old male female human adult rapid fast slow "
    "brief short long multiple various different strange electric industrial emergency sudden "
    "background high-pitched low-frequency whistling buzzing humming rustling rumbling running"
).split()
MANNERS = (
    "loudly softly quietly faintly continuously repeatedly rapidly slowly gently heavily steadily "
    "nearby far away briefly intermittently occasionally quickly together rhythmically outside "
    "simultaneously closer outdoors indoors"
).split()
PLACES = (
    "background distance foreground room street house kitchen park forest field city water ground "
    "floor roof window road track river church hall station tunnel garage pond farm yard wall car "
    "microphone radio television distance background background distance"
).split()
BEFORE_PLACES = "in on over through down against into onto near from inside under along".split()
PARTS = "group crowd number series pair set couple lot bit variety piece body burst".split()
SOUND_WORDS = "sound noise hum buzz whir clanking rumble roar echo squeal ringing beeping".split()
MODIFIERS = (
    "train car vehicle truck motorcycle police water wind bird dog church alarm horse metal glass "
    "sewing washing machine gun fire door electric engine motor traffic radio telephone race "
    "helicopter airplane aircraft power steam bicycle background thunder baby crowd music"
).split()
PARTICLES = "up by off down out away past on around".split()
