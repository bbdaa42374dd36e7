import { type Phrases, type Span, spans } from './languages.ts';
import type { Language } from './words/words.ts';

// What an agent does, as people call it in each language. guards/deeds.ts knows the commands. A loan word is the same
// everywhere, so `all` counts in each language.

export type DeedName =
  | 'commit'
  | 'push'
  | 'force push'
  | 'merge'
  | 'rebase'
  | 'amend'
  | 'pull request'
  | 'deploy'
  | 'publish'
  | 'install'
  | 'migrate'
  | 'write migration'
  | 'test'
  | 'full suite'
  | 'lint'
  | 'format'
  | 'build'
  | 'delete'
  | 'skip hooks'
  | 'stash'
  | 'edit lockfile'
  | 'update snapshots'
  | 'comment'
  | 'reset'
  | 'branch';

type Names = { all?: string } & Partial<Record<Language, string>>;

/** The more special deeds come first: a force push is no push. */
const NAMES: Record<DeedName, Names> = {
  'force push': {
    all: 'force[- ]?push(?:e[sd]|ing)?|push(?:e|en|er|ear)? (?:-f|--force)|--force(?:-with-lease)?',
    de: 'erzwungene[nr]? Pushes?',
    fr: 'push(?:er)? forcés?|push(?:er)? en force|pousser en force|forcer (?:un |le |les )?push',
    es: 'push(?:es)? forzad[oa]s?|forzar (?:el |un |los )?push|forces (?:el |un )?push',
    pt: 'push(?:es)? forçad[oa]s?|forçar (?:o |um )?push|force (?:o |um )push',
    it: 'push forzat[oi]|forzare (?:il |un |i )?push',
    nl: 'geforceerde? push(?:es)?|forceer (?:een |nooit een )?push(?:es)?',
    zh: '强制推送|强推|强行推送',
    ja: '強制プッシュ|フォースプッシュ|強制push|force ?push',
    ko: '강제 ?(?:푸시|푸쉬|push)|포스 ?푸시',
  },
  'skip hooks': {
    all: '--no-verify|skip(?:ping|s)? (?:the |any |git |pre-?commit |commit )*hooks?|bypass(?:ing)? (?:the |any |git |pre-?commit )*hooks?',
    de: 'Hooks? (?:zu )?(?:überspringen|umgehen)|(?:überspring|umgeh)(?:e|en|st)? (?:\\w+ ){0,4}Hooks?',
    fr: '(?:saut|contourn|ignor)(?:e|er|ez)(?: \\S+){0,3} hooks?',
    es: '(?:salt|omit|ignor)(?:a|ar|es|arte|ir|as|e)(?: \\S+){0,3} hooks?',
    pt: '(?:pul|ignor|contorn)(?:a|ar|e|es)(?: \\S+){0,3} hooks?',
    it: '(?:salt|ignor|aggir)(?:a|are|i)(?: \\S+){0,3} hook',
    nl: 'hooks? (?:over te slaan|overslaan|omzeilen)|sla (?:\\w+ ){0,3}hooks? (?:\\w+ )?over',
    zh: '跳过(?:提交|git|pre-?commit|所有)?\\s?(?:钩子|hooks?)|绕过(?:提交|git)?\\s?(?:钩子|hooks?)',
    ja: '(?:フック|hooks?)\\s?を\\s?(?:スキップ|飛ばさ|飛ばし|回避|無視)',
    ko: '(?:훅|hooks?)(?:을|를)? ?(?:건너뛰|스킵|우회|무시)',
  },
  'full suite': {
    all: '(?:full|whole|entire|complete) (?:test )?suite|all (?:the |of the )?tests',
    de: '(?:ganze|komplette|gesamte|volle)[nrs]? (?:Test-?[Ss]uite|Suite)|alle Tests',
    fr: 'suite (?:de tests? )?(?:complète|entière)|toute la suite(?: de tests?)?|tous les tests',
    es: 'suite (?:de (?:tests|pruebas) )?(?:completa|entera)|toda la suite(?: de (?:tests|pruebas))?|todos los tests|todas las pruebas',
    pt: 'suíte (?:de testes )?(?:completa|inteira)|toda a suíte(?: de testes)?|todos os testes|suite (?:de testes )?completa',
    it: "(?:l')?intera suite(?: di test)?|suite (?:di test )?(?:completa|intera)|tutti i test|tutta la suite",
    nl: '(?:hele|volledige|complete) (?:test)?suite|alle tests',
    zh: '全部测试|所有测试|全量测试|完整(?:的)?测试(?:套件)?|整个测试套件|全套测试',
    ja: '(?:すべての|全ての?|全部の?|フル)テスト(?:スイート)?|テスト(?:スイート)?全体|全テスト|フルスイート',
    ko: '전체 ?테스트(?: ?스위트)?|모든 ?테스트|풀 ?스위트|테스트 전체',
  },
  'edit lockfile': {
    all: 'lock-?files?|package-lock\\.json|pnpm-lock\\.yaml|yarn\\.lock|cargo\\.lock|poetry\\.lock|uv\\.lock',
    de: 'Lock-?[Dd]atei(?:en)?|Lockfiles?',
    fr: 'fichiers? (?:de )?lock|fichiers? de verrouillage',
    es: 'archivos? (?:de )?lock|ficheros? (?:de )?lock|archivos? de bloqueo',
    pt: 'arquivos? (?:de )?lock',
    it: 'file (?:di )?lock',
    nl: 'lock-?bestand(?:en)?',
    zh: '锁文件|锁定文件',
    ja: 'ロックファイル',
    ko: '락 ?파일|잠금 ?파일',
  },
  'update snapshots': {
    all: '(?:update|updating|regenerate|overwrite) (?:the |any |test )*snapshots?',
    de: 'Snapshots? (?:\\w+ )?(?:zu )?(?:aktualisieren|überschreiben|updaten)|aktualisiere? (?:\\w+ ){0,3}Snapshots?',
    fr: 'mets? (?:\\S+ )?à jour (?:les |des )?snapshots?|mettre à jour (?:les |des )?snapshots?|mise à jour des snapshots',
    es: 'actuali(?:za|ces|zar) (?:\\S+ )?snapshots?',
    pt: 'atuali(?:za|ze|zar) (?:\\S+ )?snapshots?',
    it: 'aggiorn(?:a|are) (?:\\S+ )?snapshot',
    nl: '(?:werk|update) (?:\\w+ ){0,3}snapshots? (?:\\w+ )?(?:bij)?|snapshots? (?:bijwerken|updaten)',
    zh: '更新快照|覆盖快照',
    ja: 'スナップショットを(?:更新|上書き)',
    ko: '스냅샷(?:을|를)? ?(?:업데이트|갱신|덮어)',
  },
  'pull request': {
    all: '(?:open|create|make|submit|raise|put up)(?:ing|s)? (?:a |an |any |the |new |another )*(?:prs?|pull requests?|mrs?|merge requests?)|(?:prs|pull requests|mrs|merge requests)',
    de: '(?:PRs?|Pull[- ]Requests?|MRs?)(?: \\w+)? (?:aufmach|öffn|erstell|anleg)\\w*|(?:öffne|erstell|mach)\\w* (?:\\w+ ){0,3}(?:PRs?|Pull[- ]Requests?)|einen PR|PRs',
    fr: '(?:ouvr|cré|fai)\\w* (?:une |des |de |toujours |jamais )*(?:PR|pull requests?|MR)',
    es: '(?:abr|cre|hac|hag)\\w* (?:una? |un |siempre |nunca )*(?:PRs?|pull requests?|MR)',
    pt: '(?:abr|cri|faz|faç)\\w* (?:um |uma |sempre |nunca )*(?:PRs?|pull requests?|MR)',
    it: '(?:apr|cre|fa)\\w* (?:una |un |sempre |mai )*(?:PR|pull request|MR)',
    nl: "(?:open|maak)\\w* (?:\\w+ ){0,3}(?:PR'?s?|pull requests?)|(?:PR'?s?|pull requests?) (?:openen|aanmaken|maken)|een PR",
    zh: '(?:开|提|创建|发起|新建|提交)\\s?(?:PR|pr|合并请求|MR)|合并请求',
    ja: '(?:PR|プルリク(?:エスト)?)\\s?(?:を)?\\s?(?:作|出|開|上げ|オープン)|プルリク(?:エスト)?',
    ko: '(?:PR|풀 ?리퀘스트)(?:을|를)? ?(?:만들|열|올리|생성|작성)|풀 ?리퀘스트',
  },
  amend: { all: 'amend(?:s|ed|ing)?', zh: '修改提交|amend', ja: 'amend|アメンド', ko: 'amend|어멘드' },
  rebase: {
    all: 'rebas(?:e[sd]?|ing|en|er|ear|ar|are|ieren)',
    zh: '变基|rebase',
    ja: 'リベース|rebase',
    ko: '리베이스|rebase',
  },
  commit: {
    all: 'commit(?:s|ted|ting|te|ten|test|ter|er|ear|ees|ar|are|tare|a|i|es|tiere|tieren)?|comit(?:e|ar|es)|check(?:ing)? in',
    de: 'ein(?:zu)?check(?:en|e|st)|checke? (?:\\w+ ){0,4}ein|committet',
    fr: 'commite[rsz]?|committe[rsz]?|valider (?:les |des )?changements',
    es: 'commite[aerns]*|confirmar cambios|hagas commits?|hacer commits?|haz commits?',
    pt: 'fazer commits?|faça commits?|comitar|commitar|commite|comite',
    it: 'committ(?:are|a|i)|fare (?:il |un )?commit|fai commit',
    zh: '提交(?!PR|pr|合并请求)|commit',
    ja: 'コミット(?!メッセージ)|commit',
    ko: '커밋(?! ?메시지)|commit',
  },
  push: {
    all: 'push(?:e[sdnt]?|ing|en|er|ear|ees|ar|are|a|i)?',
    de: 'gepusht|hochladen',
    nl: 'pusht|gepusht',
    fr: 'pouss(?:e|er|es|ez|ons)',
    es: 'subir (?:a|cambios)|subas (?:a|nada)|sube (?:a|cambios)|empuj(?:a|ar|es)',
    pt: 'subir (?:para|pra)|suba (?:para|pra)|envi(?:e|ar) (?:para|direto)',
    zh: '推送|推到|推上|push',
    ja: 'プッシュ|push',
    ko: '푸시|푸쉬|push',
  },
  merge: {
    all: 'merg(?:e[sd]?|ing|en|er|ear|ar|are|es|ees)',
    de: 'gemergt|zusammenführ\\w*',
    fr: 'fusionn(?:e|er|es|ez)',
    es: 'fusion(?:a|ar|es)|mezcl(?:a|ar|es)',
    pt: 'mescl(?:a|e|ar)|mergear|fazer merge',
    it: 'mergiare|mergere|fare merge|unire i branch',
    nl: 'samenvoeg\\w*',
    zh: '合并(?!请求)|merge',
    ja: 'マージ|merge',
    ko: '머지|병합|merge',
  },
  deploy: {
    all: '(?:re-?)?deploy(?:s|ed|ing|ments?|en|er|e|st|ear|ees|ar|are|a|i)?|roll(?:ing)? out|ship(?:ping)? (?:it )?to',
    de: 'ausroll(?:en|e|st)|Auslieferung|Deployments?',
    fr: 'déploi(?:e|es|ement|ements)|déploy(?:er|ez|ons)',
    es: 'desplieg(?:a|as|ue|ues)|despleg(?:ar|amos)|despliegues?',
    pt: 'fazer deploy|faça deploy|implant(?:ar|e|ação)|deployar',
    it: 'fare (?:il )?deploy|deployare|rilasciare in',
    nl: 'uitrollen|uit te rollen|deployen|deployt',
    zh: '部署|上线|发版',
    ja: 'デプロイ|本番反映|deploy',
    ko: '배포|디플로이|deploy',
  },
  publish: {
    all: 'publish(?:es|ed|ing|en|er)?|releas(?:e[sd]?|ing|en)',
    de: 'veröffentlich\\w*',
    fr: 'publi(?:e|er|es|ez|cation)',
    es: 'publi(?:ca|car|ques|que)',
    pt: 'publi(?:ca|car|que|ques)',
    it: 'pubblic(?:a|are|hi)|rilasci(?:a|are)',
    nl: 'publice(?:er|ren)|uitbrengen',
    zh: '发布|发版',
    ja: 'リリース|公開|publish',
    ko: '릴리스|릴리즈|출시|publish',
  },
  install: {
    all: 'install(?:s|ed|ing|ations?|ieren|iere|ier|ierst|er|e|es|ar|ale|are|eer|eren|a|i)?|(?:add|adding|adds|upgrade|upgrading|update|updating|bump|bumping|new) (?:\\w+ ){0,3}(?:dependenc(?:y|ies)|deps?|packages?|librar(?:y|ies))',
    de: '(?:neue |weitere )?(?:Abhängigkeit(?:en)?|Paket(?:e|en)?|Bibliothek(?:en)?|Dependenc(?:y|ies))',
    fr: '(?:nouvelles? )?dépendances?|paquets?',
    es: 'instal(?:es|an)|(?:nuevas? )?dependencias?|paquetes?',
    pt: '(?:novas? )?dependências?|pacotes?',
    it: '(?:nuov[ae] )?dipendenz[ae]|pacchett[oi]|installare',
    nl: '(?:nieuwe )?(?:afhankelijkhe(?:id|den)|dependenc(?:y|ies)|packages?)',
    zh: '安装|装包|(?:新|加|添加|新增|引入)?(?:的)?依赖|装依赖',
    ja: 'インストール|依存(?:関係|ライブラリ|パッケージ)?(?:の追加|を追加)?|パッケージを(?:追加|入れ)|ライブラリを(?:追加|入れ)',
    ko: '설치|(?:새 ?)?의존성|패키지(?:를)? ?(?:추가|설치)|라이브러리(?:를)? ?(?:추가|설치)',
  },
  'write migration': {
    all: '(?:hand-?)?(?:writ|creat|edit|chang|modify)(?:e|es|ing|ten|ed)? (?:\\w+ ){0,3}(?:migrations?|migration files?|sql files?)|migrations? (?:are|is|files? are|must be|should be) (?:\\w+ )?(?:created|generated|written|made|never|edited)|migrations? (?:\\w+ ){0,4}by hand|old migrations?|existing migrations?|applied migrations?',
    de: 'Migrationen? (?:\\w+ ){0,6}(?:erzeugt|generiert|erstellt|geschrieben|schreiben|anlegen|ändern|bearbeiten|per Hand|von Hand|anfassen)|(?:alte|bestehende|vorhandene)\\w* Migrationen?',
    fr: 'migrations? (?:\\S+ ){0,5}(?:générées?|créées?|écrites?|à la main)|(?:écri|modifi|cré)\\w* (?:\\S+ ){0,3}migrations?|migrations? existantes?',
    es: 'migraciones (?:\\S+ ){0,5}(?:generan?|generad[oa]s|crean?|cread[oa]s|escrib\\w+|a mano)|(?:escrib|edit|modifi|cre)\\w* (?:\\S+ ){0,3}migraciones|migraciones existentes',
    pt: 'migrações (?:\\S+ ){0,5}(?:geradas|criadas|escritas|à mão|na mão)|(?:escrev|edit|modifi|cri|alter)\\w* (?:\\S+ ){0,3}(?:migrações|migrations)|migrações existentes',
    it: 'migrazioni (?:\\S+ ){0,5}(?:generate|create|scritte|a mano)|(?:scriv|modific|cre)\\w* (?:\\S+ ){0,3}migrazioni|migrazioni esistenti',
    nl: 'migraties (?:\\w+ ){0,6}(?:gegenereerd|gemaakt|geschreven|met de hand|aanpassen|wijzigen)|bestaande migraties',
    zh: '(?:手写|手动写|手工写|手改|修改|编辑|改)(?:已有的?|旧的?|任何)?(?:数据库)?迁移|迁移(?:文件|脚本)?\\S{0,12}(?:生成|创建|手写|手动|不要改|不能改|不许改)',
    ja: 'マイグレーション(?:ファイル)?\\S{0,20}(?:手書き|手で書|手動で|書かない|編集し|変更し|生成|作成)|既存のマイグレーション',
    ko: '마이그레이션(?: ?파일)?\\S{0,4} (?:\\S+ ){0,4}(?:직접|손으로|수동|작성|수정|생성|고치)|기존 마이그레이션',
  },
  migrate: {
    all: 'migrat(?:e[sd]?|ing|ions?)|migrieren?',
    de: 'Migration(?:en)?',
    fr: 'migrations?|migrer',
    es: 'migraci(?:ón|ones)|migrar',
    pt: 'migraç(?:ão|ões)|migrar',
    it: 'migrazion[ei]|migrare',
    nl: 'migraties?|migreren',
    zh: '数据库迁移|迁移',
    ja: 'マイグレーション|マイグレート',
    ko: '마이그레이션',
  },
  stash: { all: 'stash(?:es|ed|ing|en)?', zh: '贮藏|stash', ja: 'スタッシュ|stash', ko: '스태시|stash' },
  reset: {
    all: 'reset --hard|hard[- ]reset(?:s|ting)?',
    zh: '硬重置',
    ja: 'ハードリセット',
    ko: '하드 ?리셋',
  },
  lint: {
    all: 'lint(?:s|ed|ing|en|er|ear|ers?)?|linters?',
    zh: '代码检查|lint',
    ja: 'リント|lint',
    ko: '린트|lint',
  },
  format: {
    all: '(?:re-?)?format(?:s|ted|ting|ters?|ieren?|ear|er|e)?',
    it: 'formattare',
    nl: 'formatteren',
    zh: '格式化',
    ja: 'フォーマット',
    ko: '포맷(?:팅)?',
  },
  build: {
    all: '(?:re-?)?build(?:s|ing|en)?|compil(?:e|es|ed|ing)',
    de: 'bauen|kompilier\\w*',
    fr: 'compil(?:e|er|ation)',
    es: 'compil(?:a|ar|es)',
    pt: 'compil(?:a|e|ar)',
    it: 'compil(?:a|are)',
    zh: '构建|编译|打包',
    ja: 'ビルド',
    ko: '빌드',
  },
  delete: {
    all: '(?:delet(?:e[sd]?|ing)|remov(?:e[sd]?|ing)) (?:any |a |the |existing |our )*(?:files?|folders?|director(?:y|ies)|branch(?:es)?|data|tables?)',
    de: '(?:Dateien?|Ordner|Branches|Daten|Tabellen) (?:\\w+ )?(?:zu )?löschen|lösch(?:e|st|en|t)?',
    fr: 'supprim(?:e|er|es|ez)',
    es: 'borr(?:a|ar|es)|elimin(?:a|ar|es)',
    pt: 'apag(?:a|ar|ue|ues)|exclu(?:a|ir)|delet(?:a|e|ar)',
    it: 'cancell(?:a|are|i)|elimin(?:a|are|i)',
    nl: 'verwijder(?:en|t)?',
    zh: '删除|删掉|删(?:文件|库|表)',
    ja: '削除|消さ|消し',
    ko: '삭제|지우',
  },
  test: {
    all: '(?:unit |e2e |integration )?tests?|testing|specs|testsuite',
    de: 'Tests?|teste|testen|getestet',
    fr: 'tests?|tester',
    es: 'tests?|pruebas?|testear',
    pt: 'testes?|testar',
    it: 'test|testare',
    nl: 'tests?|testen',
    zh: '测试',
    ja: 'テスト',
    ko: '테스트',
  },
  comment: {
    all: '(?:add|adding|write|writing|put) (?:\\w+ ){0,3}comments?|comments? (?:that|which|explaining|in (?:the )?code)|code comments?',
    de: 'Kommentare',
    fr: 'commentaires',
    es: 'comentarios',
    pt: 'comentários',
    it: 'commenti',
    nl: 'commentaar',
    zh: '注释',
    ja: 'コメント',
    ko: '주석',
  },
  branch: {
    all: '(?:creat|mak|open|start)(?:e|es|ing) (?:a |an |new |another )*branch(?:es)?|new branch(?:es)?|branch(?:ing)? off',
    zh: '(?:新建|创建|开)(?:新)?分支',
    ja: 'ブランチを(?:作|切)',
    ko: '브랜치(?:를)? ?(?:만들|생성|따)',
  },
};

const cache = new Map<Language, [DeedName, RegExp][]>();

function patterns(language: Language): [DeedName, RegExp][] {
  const known = cache.get(language);
  if (known) return known;
  const spaced = !['zh', 'ja', 'ko'].includes(language);
  const made = Object.entries(NAMES).map(([name, names]): [DeedName, RegExp] => {
    const own = names[language];
    // among Chinese, Japanese and Korean letters a loan word is bounded by its own alphabet only
    const edge = spaced ? '[\\p{L}\\p{N}_]' : '[A-Za-z0-9_]';
    const loan = names.all ? `(?<!${edge})(?:${names.all})(?!${edge})` : '(?!)';
    const other = own ? (spaced ? `(?<!${edge})(?:${own})(?!${edge})` : `(?:${own})`) : '(?!)';
    return [name as DeedName, new RegExp(`${loan}|${other}`, 'giu')];
  });
  cache.set(language, made);
  return made;
}

export type Deed = Span & { name: DeedName };

/** Returns the deeds that a sentence names, in their order, each place once. */
export function deedsIn(text: string, { language }: Pick<Phrases, 'language'>): Deed[] {
  const found: Deed[] = [];
  for (const [name, pattern] of patterns(language)) {
    for (const span of spans(pattern, text)) {
      if (!found.some((other) => span.at < other.end && other.at < span.end)) found.push({ name, ...span });
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
