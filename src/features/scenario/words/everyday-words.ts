/**
 * Words of a life outside of work: what is said with one of them is no action of a scenario, unless the scenario itself
 * speaks of it.
 */
export const EVERYDAY_WORDS: ReadonlySet<string> = new Set(
  (
    'pizza lunch dinner breakfast supper brunch sandwich burger burgers coffee tea beer wine drink drinks whiskey vodka cocktail ' +
    'cake cookie_ donut donuts doughnut chocolate icecream snack snacks food meal meals cook cooking recipe recipes ' +
    'bake baking restaurant kitchen fridge banana apple_ apples cheese bread milk sugar soup pasta noodles sushi taco tacos ' +
    'weather rain raining sunny sunshine snow snowing temperature umbrella ' +
    'football soccer basketball tennis golf hockey cricket match_ team_ league worldcup olympics gym_ yoga jog jogging swim ' +
    'swimming hike hiking bike cycling ski skiing chess poker lottery gamble bet casino ' +
    'movie movies film films netflix youtube tiktok instagram facebook twitter music song songs sing singing dance dancing ' +
    'guitar piano concert spotify playlist radio television tv game games gaming minecraft fortnite playstation xbox ' +
    'joke jokes funny laugh poem poems poetry poet haiku limerick rhyme novel fairytale riddle horoscope zodiac astrology ' +
    'vacation holiday holidays beach hotel flight flights airplane plane train_ trip travel travelling tourist ' +
    'mother mom mum mommy father dad daddy grandma grandmother grandpa sister brother uncle aunt cousin wife husband ' +
    'girlfriend boyfriend kid kids baby babies child children family marry marriage wedding divorce birthday party parties ' +
    'dog dogs cat_ cats kitten puppy horse horses cow pig chicken elephant tiger lion unicorn dragon dinosaur bird birds fish ' +
    'president_ election vote politics politician war_ army bitcoin crypto ethereum stocks stock_ invest ' +
    'capital_ country_ france paris london germany berlin italy rome spain moon planet planets mars_ universe galaxy alien aliens ' +
    'god church pray religion bible meaning_ kiss hug sex sexy naked romantic dating date_ ' +
    'hair haircut shoes shirt dress jeans clothes fashion makeup shopping mall ' +
    'car cars bus bicycle tire tyres garage_ fuel ' +
    'nap bed sofa couch bath shower toilet laundry dishes vacuuming garden flowers flower tree trees lawn ' +
    'homework essay school_ exam math maths algebra geometry history_ geography philosophy ' +
    'chatgpt gpt openai claude gemini bard llm prompt prompts instructions jailbreak robot ' +
    'monday_ santa christmas easter halloween superhero batman superman pokemon spaceship rocket ' +
    'doctor dentist_ hospital headache medicine vitamin diet workout massage meditate meditation nails ' +
    'apartment rent_ landlord house houses furniture ' +
    'lasagna barbecue bbq grill picnic popcorn candy juice soda water_ champagne toast_ pancake pancakes waffles ' +
    'karaoke drums violin painting paint draw drawing sketch knit knitting sew photo photos selfie ' +
    'translate spanish french german_ italian chinese japanese latin ' +
    'model hidden reveal dan printer wifi gardening lasagne sourdough euro euros shopping knock ferrata carpet sportswear ' +
    'door doors bay_ hungry thirsty sleepy cup trophy champion ' +
    'score scores points grade cheat hack_ ' +
    'asdf qwerty blah foo bar_ lorem ipsum'
  )
    .split(' ')
    .filter((word) => !word.endsWith('_')),
);

/** Common words that are spelled like words of work, and are no misspelling of them. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'able above across actual afraid against ago agree allow alone along always among angry another answer appear arrive away ' +
    'base beat become behind believe below best better between beyond blame board body bold bored both bottom bring broke brown ' +
    'busy care careful carry catch chance cheap choice city class clear clever close cold come common complete cool corner count ' +
    'cover crazy cross crowd cry cure current damage danger dark dead deal dear death deep degree depend desk did die different ' +
    'difficult doubt down dream drive drop dry during each early earn east easy edge effect effort either else end enemy enjoy ' +
    'enough enter even evening event ever every exact except excited exit expect expensive explain face fact fair fall false far ' +
    'fast fate fault favor favour fear feel fell few fight figure fill final fine finger finish fire first fit five floor fly follow ' +
    'foot force forget forgot forward found four free fresh friend front full fun future gain gave general give glad goes gone good ' +
    'got great green ground group grow guess guide guilty half hand hang happen happy hard hate hear heart heat heavy held ' +
    'here high hit hold hole home hope hot hour huge hundred hurry hurt idea imagine improve inside instead interest into island ' +
    'job join jump keep kept key kill kind king knew knock know known lady lake land large last late later lead learn least leave ' +
    'left leg less letter level lie life lift light line lips list listen live lives local lock lonely long look lose loss lost loud ' +
    'low luck mad made main make man mark marry matter maybe mean means meant meet member men mess mind mine minute miss mistake money ' +
    'month mood moral more morning most mouth move much must name near nearly neck need never new nice night nine none noon north ' +
    'nose note nothing notice now number obvious off offer often old once one only open order other ought outside over own page paid ' +
    'pain pair part pass past pause pay peace perfect person pick picture piece place plain play please plenty point poor pop power ' +
    'present press pretty problem proper proud prove pull pure push put quiet quite race raise ran rate rather reach real reason red ' +
    'rest rich ride right ring rise risk river road rock role roof room round rule rush sad safe said same sand sat saw scared scene ' +
    'sea seat second secret see seem seen sell sense serious serve seven several shake shall shame shape share sharp she shine ship shock ' +
    'shoot short shot should show shut sick side sight sign silly simple sing single sir sit six size skin sky sleep slow small smart ' +
    'smell smile smoke soft sold son soon sore sorry sort soul sound south space speak special speed spend spoke spot spread spring ' +
    'stand star stay steal steel step stick still stone stood storm story straight strange street strong struggle stuck such sudden ' +
    'suit summer sun sure surprise sweet table tail take tale talk tall taste teeth ten terrible test than that then there they thick ' +
    'thin think third thirty this those though thought three throw tired told tomorrow tonight too took top total touch tough toward ' +
    'town trick tried trip trouble truck true trust truth try turn twelve twenty two ugly under unless until upset use usual very ' +
    'voice wait wake walk wall want warm wash waste watch wave way weak wear week weight went were west wet what wheel when where ' +
    'whether which while white whole whom whose wide wild will wind window winter wise wish with woman women wonder wood word wore ' +
    'work world worry worse worst worth wrong yard year yes yesterday yet young zero ' +
    'hello thanks sorry bye welcome'
  ).split(' '),
);
