import type { Words } from './words.ts';

export const nl: Words = {
  marks:
    'de|het|een|zijn|niet|wij|je|met|elke|onze|wordt|worden|bestand|mij|zonder|voor|op|nooit|altijd|gebruik|gebruiken|voordat|dit|deze|hier|van|naar|geen|maar|ook|dat|als|alleen|wij|handen|zonder dat|graag|alsjeblieft|eerst|liever|onze|ons|bij|vanaf|nu|moet|doe|onthoud|vraag|draai|blijf|keer',
  always: 'altijd|steeds|elke keer|iedere keer|zonder uitzondering|uitsluitend|standaard|consequent',
  never: 'nooit(?: meer)?|onder geen (?:beding|enkele voorwaarde)|in geen geval|niet meer|geen \\w+ meer',
  dont: 'niet|geen|vermijd|stop met|hou op met|verboden',
  only: 'alleen|enkel|uitsluitend',
  since:
    'vanaf (?:nu|vandaag|heden)|voortaan|in (?:de toekomst|het vervolg)|(?:de )?volgende keer|in het algemeen|als regel|de regel|onze regel|nieuwe regel|vuistregel|voor de toekomst',
  place:
    '(?:in|voor|binnen) (?:deze|dit|onze|ons|de hele|het hele|alle)(?: \\w+)? ?(?:repo|repository|project|projecten|codebase|code|monorepo|team|bedrijf)|bij ons|overal|onze (?:conventie|afspraak)|(?:dit|ons) (?:project|team)|deze repo',
  here: 'hier',
  weUse:
    'we (?:gebruiken|werken met|hebben|schrijven|committen|pushen|deployen|testen|mergen|rebasen|squashen|draaien|doen|zetten|publiceren)|(?:gebruiken|werken|hebben|committen|deployen|draaien|doen|schrijven) we|hier gebruiken|(?:onze|alle) \\w+ (?:zijn|gaan|moeten|staan|beginnen|horen)',
  weNot:
    'we \\w+ (?:\\w+ ){0,4}(?:niet|geen|nooit)|(?:gebruiken|mocken|committen|pushen|doen) we (?:\\w+ ){0,3}(?:niet|geen|nooit)|niemand (?:commit|pusht|wijzigt)',
  remember:
    'onthoud|vergeet (?:\\w+ )?niet|hou(?:d)? (?:\\w+ )?(?:er )?rekening mee|hou(?:d)? in (?:gedachten|je achterhoofd)|denk eraan|denk er ?aan|noteer|let op dat|voor later|ter info|knoop (?:het |dit )?in je oren',
  ask: 'vraag (?:\\w+ )?(?:het )?(?:me|mij|ons|eerst|altijd|vooraf|toestemming|om)(?: \\w+)?|(?:me|mij|ons)(?: \\w+){0,3} vragen|overleg (?:eerst |altijd )?(?:met mij|met ons|even)|(?:zonder|met|alleen met|pas na) (?:mijn|onze) (?:toestemming|akkoord|goedkeuring|ok)|zonder (?:het )?(?:te vragen|overleg|me te vragen|mij te vragen)|wacht op mijn|check (?:het )?(?:eerst |altijd )?(?:bij|met) (?:mij|ons)|tenzij ik (?:het|erom|dat)',
  banned:
    '(?:is|zijn)(?: hier| bij ons| strikt| ten strengste| absoluut| in \\w+ \\w+)* (?:verboden|taboe|niet toegestaan|uit den boze|off-limits|verbannen)|verboden',
  handsOff:
    'handen af(?: van)?|afblijven(?: van)?|blijf (?:\\w+ )?(?:af van|van \\S+ af|met je handen van)|blijf af|kom (?:\\w+ )?niet aan|raak(?: \\S+){0,4} niet aan|laat(?: \\S+){0,5} (?:met rust|zoals het is|ongemoeid)|niet aankomen|niet aanraken|nergens aan zitten',
  owned:
    '(?:wordt|worden|is|zijn)(?: \\S+){0,5} (?:gegenereerd|beheerd|onderhouden|overschreven)|hoort bij|behoort|is van (?:het|de)|(?:beheert|onderhoudt)',
  habit:
    "(?:voor|na|bij|met) (?:elke|iedere|elk|ieder|alle)|telkens(?: als| wanneer)?|elke keer (?:dat|als)|wanneer je (?:een|nieuwe)|als je (?:een|nieuwe) (?:\\w+ )?(?:PR|branch|test|migratie|commit)|alle (?:nieuwe )?(?:commits|tests|PR's|branches|migraties|wijzigingen|commitberichten)|elke (?:commit|PR|branch|wijziging)",
  prefer:
    'ik (?:hou van|wil|haat|heb liever|zie liever|vind)(?: \\w+)? (?:geen|kleine|korte|altijd|liever|alleen)|liever (?:geen|kleine|korte)|ik hou (?:niet )?van',
  told: 'ik heb (?:je )?(?:al |het )*gezegd|hoe vaak|alweer|zoals (?:ik )?(?:al )?(?:zei|gezegd)|ik herhaal|ik zei toch|voor de \\w+ keer',
  use: 'gebruik(?:en|t)?|neem|met|via|maar|liever|altijd|draai|run|voer|we hebben|werk(?:en)? (?:in|met)|doe|alleen|zet|schrijf|pak|per|wel|juist|eerst|is',
  notNext:
    'niet|nooit|geen|in plaats van|ipv|i\\.p\\.v\\.|onder geen beding|in geen geval|vermijd|stop met|hou op met|handen af van|afblijven van|blijf (?:\\w+ )?(?:af van|weg van|met je handen van)|noch',
  notBefore:
    '(?:is|zijn)(?: hier| bij ons| strikt| ten strengste| absoluut)* (?:verboden|taboe|niet toegestaan|uit den boze)|verboden|(?:hier |direct |met de hand |handmatig |je )*(?:niet|nooit|in geen geval)(?: \\S+){0,4} (?:aanpassen|wijzigen|bewerken|aanraken|aankomen|gebruiken|veranderen|committen|pushen)|met rust|ongemoeid|zoals het is|(?:wordt|worden)(?: \\S+){0,5} (?:gegenereerd|beheerd|onderhouden)|hoort bij|niet aan|afblijven',
  without: 'zonder(?! te vragen| overleg| me| mij| mijn| onze)|tenzij(?! ik)|totdat|behalve',
  before: 'voor(?:dat|aleer)? (?:je |we |elke |iedere |een |het |de )*|als je |wanneer je |bij het |om te ',
  beforeAfter: 'pas na',
  decided:
    'we hebben (?:\\w+ ){0,3}(?:besloten|afgesproken|gekozen)|(?:besloten|afgesproken) is|besluit:|besloten:|afspraak:|afgesproken:',
  local:
    'deze keer|dit keer|voor (?:nu|even|vandaag|deze keer|het moment)|alleen (?:nu|vandaag|deze keer|hier|voor)|tijdelijk|voorlopig|vandaag|morgen|op dit moment|momenteel|(?:in|voor|bij) (?:deze|dit|die) (?:PR|commit|test|bestand|functie|methode|branch|ticket|component|klasse|taak|sessie|stap|geval|wijziging|migratie|pagina)|nog niet|laat maar|maakt niet uit|tot (?:morgen|maandag|we|ik)|(?:deze|dit|die) (?:test|functie|bestand|commit|branch|taak|methode|component|fout|regel)',
  question:
    'moeten we|zullen we|zouden we|moet ik|gebruiken we|waarom|wat|wie|hoe(?! vaak)|waar|welke?|wanneer(?! je)|kun je|kan je|kunnen we|zou je|is het|is er|heb je|hebben we|wil je|mag ik|denk je',
  polite: '(?:kun|kan|zou|wil) je (?:\\w+ ){0,3}(?:altijd|nooit|voortaan|vanaf nu)',
  suppose:
    'stel(?: je voor| dat)?|wat als|als we (?:altijd|nooit)|zou|zouden|misschien|wellicht|ik denk|theoretisch|alsof|had|hadden',
  irony:
    '(?:geweldig|mooi|fijn|top|leuk|super|prachtig),? (?:dus|dan|nu)|lekker dan|haha|lol|ja hoor|tuurlijk,? (?:wie|we|want)|bravo|gefeliciteerd|wie heeft er|nou,? (?:mooi|lekker)',
  weak: 'niet (?:altijd|per se|elke keer|noodzakelijk)|zoals altijd|bijna (?:altijd|nooit)|nog (?:altijd|steeds|nooit)|hoef(?:t)? (?:\\w+ )?niet|altijd al|voor altijd|nooit (?:gewerkt|gezien|klaar)|faalt altijd|werkt nooit|(?:is|zijn|geeft|crasht|vergeet) (?:altijd|nooit)|ik vergeet altijd|steeds (?:meer|minder|langzamer|vaker)|steeds weer',
  relative: 'dat|die|zodat|omdat|of|want|hoewel|terwijl|waarbij|waar|wie',
  product: 'zorg (?:ervoor|dat)|controleer of|moet|moeten|dient|mag|mogen|kan|kunnen',
  status: 'faalt|falen|kapot|crasht|hangt|werkt niet|leeg|fout|traag|ontbreekt|mist|stuk',
  refuses:
    'nee|nope|niet|fout|stop|dat is (?:fout|niet|verkeerd)|verkeerd|ik zei|ik heb gezegd|alweer|waarom (?:heb|gebruik)|oh nee|ho|geen',
  work: "commentaar|comments?|bestandsnamen|branchnamen|commitberichten|commit-?berichten|changelog|emoji'?s?|afhankelijkheden|dependencies|packages?|migraties?|gegenereerd\\w*|met de hand|handmatig|geheimen|wachtwoorden|credentials|tests?|unit-?tests?|mocks?|mocken|PR'?s?|pull[- ]requests?|branch(?:es)?|commits?|committen|commit|pushen|push|force[- ]push(?:es)?|mergen|merge|deployen|deploys?|deploy|antwoord(?:en)?|antwoord|in het (?:Nederlands|Engels|Duits)|samenvatting(?:en)?|documentatie|docs|README|productie|prod|staging|database|lockfile|inspringing|puntkomma|types|rebasen|rebase|squash|scripts?|map|bestand(?:en)?|installeer|installeren|snapshots?|ticket|Jira|hooks?|suite|testsuite",
};
