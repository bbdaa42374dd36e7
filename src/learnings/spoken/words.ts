// Words around a deed in a sentence, by which deeds-said.ts sees whether it is one.

const set = (words: string) => new Set(words.split(' '));

export const DETERMINERS = set('the a an our your my this that these those their its his her');
export const ALL_OF = set('every each any no all');
export const OCCASIONS = set('before after until till when whenever once if while');
export const TIMES = set('on at during upon per for');
export const NEGATION =
  /\b(?:never|don['’]?t|do not|not|avoid|no|stop|without|nobody|instead of|rather than|forget|forbidden)\b/i;
/** Words that do not begin the object of a verb. */
export const STOPS = set(
  'of in on to into onto from with without via through by for at than as against under over per using and or but nor then ' +
    'there here always never only not first last again twice once directly straight yourself yourselves myself you we i they ' +
    'small early often fast together separately locally manually automatically anymore ever now today please pls plz ' +
    'must should may can will is are was were be has have needs need requires require takes fails runs off out up down so ' +
    'where who that which how late later everywhere elsewhere unless too also either across between during towards right ' +
    'like just even still more less less yet back alone freely blindly hard soft friday fridays weekends weekend monday ' +
    'tonight tomorrow ask tell run check update make let wait ping show confirm verify notify post write add use do give',
);
export const ADJECTIVES = set(
  'dedicated same one next new prod production staging release hotfix final first big major minor patch database db schema sql data app docker ' +
    'full clean manual automatic force direct single git squash real actual public stable nightly beta local remote helm ' +
    'feature package conventional signed huge large small separate atomic draft empty wip dev test unit integration e2e extra ' +
    'additional other own more further third-party runtime destructive live main npm pypi canary quick ' +
    'successful failed finished merge fresh single-purpose tiny unrelated global unsigned lightweight annotated stacked firmware existing',
);
/** Verbs that say with a noun what others say with the noun's verb: "make a release", "run migrations". */
export const LIGHT =
  /^(?:mak(?:e|es|ing)|made|do|does|doing|cut(?:s|ting)?|run(?:s|ning)?|re-?run(?:s|ning)?|creat(?:e|es|ing)|open(?:s|ing)?|rais(?:e|ing)|submit(?:ting)?|send(?:ing)?|fil(?:e|ing)|start(?:s|ing)?|kick(?:ing)? off|trigger(?:s|ing)?|perform(?:ing)?|execut(?:e|ing)|appl(?:y|ies|ying)|writ(?:e|es|ing)|us(?:e|ing)|sign(?:ing)?|squash(?:ing)?|push out|add(?:ing)?|introduc(?:e|ing)|want|allow(?:ed)?|accept|prefer|have|having|schedul(?:e|ing)|attempt(?:ing)?|invok(?:e|ing)|start(?:ing)?|bring(?:ing)? in|split(?:ting)?|label(?:ling)?|title|draft|keep|name|naming|prefix(?:ing)?)$/;
export const RUN =
  /^(?:(?:re-?)?run(?:s|ning)?|do|doing|start(?:ing)?|trigger(?:ing)?|perform(?:ing)?|execut(?:e|ing)|appl(?:y|ying)|schedul(?:e|ing)|attempt(?:ing)?|kick|mak(?:e|ing)|invok(?:e|ing)|skip(?:ping)?)$/;
/** Words before a verb in its base form. */
export const BEFORE_VERB =
  /^(?:we|you|i|they|always|never|don't|dont|not|please|pls|plz|just|only|ever|also|then|and|or|must|should|shouldn't|mustn't|may|might|can|can't|cannot|will|won't|shall|let's|do|remember|first|now|directly|only|simply|nobody|manually|yourself|better|either|nor|instead|ok|okay|actually|kindly|usually|generally|normally|so|but|squash|fast-forward)$/;
export const WANTING =
  /^(?:want|need|needs|have|has|ought|going|try|like|wait|remember|allowed|required|supposed|ask|about|ready|free|forbidden|careful|sure|time|going|due)$/;
/** "Version bumps go in their own commit." */
export const OWN = /^(?:own|separate|single|dedicated|atomic|small|one|same)$/;
/** What has the same verb in programs: nothing is committed or pushed there. */
export const THINGS =
  /^(?:folders?|director(?:y|ies)|dirs?|outputs?|artifacts?|files?|caches?|notes?|scripts?|history|numbers?|servers?|tools?|tooling|pipelines?|configs?|configuration|steps?|stages?|logs?|times?|system|systems|jobs?|previews?|conflicts?|notifications?|services?|workers?|keys?|tokens?|badges?|docs?|documentation|guides?|instructions?|hash|hashes|sha|shas|ids?|handlers?|events?|hooks?|templates?|size|sizes|managers?|targets?|process|processes|environments?|window|windows|schedule|calendar|dashboard|team|engineer|minutes|matrix|agents?|cluster|machines?|info|metadata|flags?|args?|arguments?|variables?|vars?|options?|settings?|secrets?|dates?|names?|naming|branch|branches|channels?|cycles?|train|trains|frequency|errors?|failures?|failed|failing|warnings?|status|statuses|results?|reports?|list|lists|tables?|graphs?|commands?|users?|accounts?|roles?|permissions?|credentials?|policy|policies|code|engine|framework|runner|runners|plugins?|gateway|gateways|queue|queues|function|functions|method|methods|buttons?|page|pages|data|fixtures?|cases?|doubles?|coverage|suites?|helpers?|utils?|utilities|count|counts|graph|tree|sequence|path|paths|location|prefix|prefixes|lifecycle|state|strategy|pattern|phase|mode|rule|rules|speed|performance|dependencies|requirements|timestamps?|referral|review|reviews|reviewers?|author|authors|description|label|labels|comments?|checks?|url|urls|host|hosts|bucket|directory|plan|plans|lead|leads|freeze|freezes)$/;
/** Things that are also verbs: "after every install check that …" goes on with what to do. */
export const ALSO_VERBS =
  /^(?:checks?|review|plan|list|report|label|process|state|page|log|time|count|step|stage|queue|schedule|target|name|date|comment|host|hash|command|lead|test|cache|document|note)$/;

/** What may follow a plural at the head of a rule: "PRs go against `next`", "releases must be signed". */
export const RULING =
  /^(?:must|should|need|needs|require|requires|have|has|always|never|only|may|can|cannot|can't|go|goes|happen|happens|shall|get|gets|start|starts|begin|in|with|without|against|follow|follows|use|be|contain|carry|target|via|through|into|to|not|on)$/;
export const RULED =
  /^(?:always|never|only|not|to|signed|squashed|squash|forbidden|banned|done|made|cut|merged|reviewed|required|mandatory|allowed|drafts?|via|through|atomic|off-limits|frozen|paused|tagged|blocked|small|manual|named|prefixed)$/;
/** Where code is committed or pushed to. */
export const PLACES =
  /^(?:it|them|branch|branches|fork|forks|remote|remotes|origin|upstream|repo|repos|repository|main|master|develop|trunk|staging|production|prod|next|github|gitlab|heroku|registry|npm|pypi|there|gh-pages|git|pr|prs|head|mainline|default|dev|release|qa|beta|alpha|stable|live|.*\/.*|.*\*)$/;
