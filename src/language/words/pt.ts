import type { Words } from './words.ts';

export const pt: Words = {
  marks:
    'os|um|uma|é|são|não|nós|a gente|em|na|com|nosso|nossa|antes|fazer|commits de|testes|arquivo|arquivos|sem|para|por|nunca|sempre|usa|use|usamos|utilize|antes|este|esta|aqui|do|da|de|mais|que|jamais|vez|agora|você|isso|ao|às|rode|execute|lembre|favor|neste|nesse|desta|pelo|pela|faça',
  always: 'sempre|toda vez|todas as vezes|sem exceção|exclusivamente|por padrão|em todos os casos',
  never:
    'nunca(?: mais)?|jamais|em hipótese alguma|de jeito nenhum|sob nenhuma circunstância|em nenhum caso|não (?:\\w+ )?mais',
  dont: 'não|evite|evita|pare de|para de|proibido|nada de',
  only: 'só|apenas|somente|unicamente|exclusivamente',
  since:
    'a partir de (?:agora|hoje|já)|de agora em diante|daqui (?:em|para|pra) (?:diante|frente)|doravante|no futuro|na próxima vez|da próxima vez|em geral|como regra|via de regra|a regra|nossa regra|nova regra|regra geral',
  place:
    '(?:neste|nesse|nesta|nessa|no nosso|na nossa|em todo o|em toda a|deste|para este|no)(?: \\w+)? ?(?:repo|repositório|projeto|projetos|código|monorepo|time|equipe|empresa|codebase)|nossa (?:convenção|equipe)|nosso time|em todo lugar|(?:este|nosso) (?:repo|projeto|repositório)',
  here: 'aqui|cá',
  weUse:
    '(?:nós |a gente )?(?:usamos|utilizamos|usa|trabalhamos com|fazemos|escrevemos|rodamos|temos|preferimos|comitamos|commitamos|publicamos|instalamos|colocamos|guardamos) |(?:nossos|nossas|todos os|todas as) \\S+ (?:são|vão|devem|precisam|ficam|começam)|aqui (?:se usa|a gente usa|só se usa)',
  weNot:
    'não (?:usamos|utilizamos|fazemos|escrevemos|mockamos|comitamos|commitamos|adicionamos|permitimos|queremos|colocamos|mexemos|editamos|subimos|aceitamos)|nunca (?:usamos|fazemos|comitamos|commitamos|mexemos|mockamos|editamos)|a gente (?:não|nunca) (?:usa|faz|mocka|commita|comita|mexe|edita|coloca|adiciona)|ninguém (?:mexe|edita|faz)|não se (?:usa|mexe|edita|faz|altera)',
  remember:
    'lembre(?:-se)?|lembra(?:-te|-se)?|lembrem|não (?:se )?esqueça|não (?:te )?esqueças|não esquece|tenha em mente|tem em mente|leve em conta|guarde|guarda (?=isso|na|bem)|anote|anota|memorize|memoriza|para referência futura|só para (?:lembrar|constar)',
  ask: 'pergunt(?:e|a)(?:-me| me| pra mim| para mim| antes| primeiro)|me (?:pergunte|pergunta|consulte|consulta|peça|avise|avisa)(?: \\w+)?|fale comigo|consulte-me|peça (?:permissão|minha|confirmação|autorização)|perguntar-me|me perguntar|sem (?:me )?(?:perguntar|consultar|avisar|pedir)|(?:sem|com) (?:a )?minha (?:permissão|autorização|aprovação|confirmação)|sem (?:o )?meu (?:ok|aval)|espere (?:o meu|a minha)|a menos que eu peça|confirme comigo|pede-me',
  banned:
    '(?:é|são|está|estão|fica|ficam)(?: \\w+mente)? (?:proibid[oa]s?|vetad[oa]s?|banid[oa]s?)|não (?:é|são) permitid[oa]s?|proibid[oa]s?',
  handsOff:
    'não (?:mexa|mexe|mexas|toque|toques|toca|encoste)(?: (?:em|no|na|nos|nas))?|tire as mãos|mãos fora|deix[ae](?: \\S+){0,5} (?:em paz|quieto|quieta|como está|como estão|intacto)|não (?:edite|altere|modifique)|nem toque',
  owned:
    '(?:é|são|está|estão) (?:\\w+mente )?(?:gerad[oa]s?|mantid[oa]s?|gerenciad[oa]s?|gerid[oa]s?)|(?:quem )?(?:mantém|cuida|gerencia)|pertencem? (?:a|ao|à)|é d[oa] (?:time|equipe|jurídico|ops)|é responsabilidade',
  habit:
    'cada vez que|toda vez que|sempre que|antes de (?:cada|todo|toda|qualquer)|depois de (?:cada|todo|toda|qualquer)|para (?:cada|todo|toda|qualquer|todos os|todas as)|quando (?:você )?(?:abrir|criar|fizer|escrever|adicionar|for) (?:um|uma)|todos os (?:commits|testes|PRs)|todas as (?:migrações|branches|PRs|mensagens)|todo (?:commit|PR|teste)|em cada|a cada',
  prefer:
    '(?:prefiro|eu gosto de|gosto de|não gosto de|odeio|quero)(?: \\w+)? (?:commits|testes|mensagens|branches|PRs|respostas|nomes|que|os|as)',
  told: '(?:eu )?(?:já )?(?:te |lhe )?(?:disse|falei)(?: para| que)?|quantas vezes|de novo|como (?:eu )?(?:já )?(?:disse|falei)|repito',
  use: 'us(?:e|a|ar|amos)|utiliz(?:e|a|ar|amos)|rod(?:e|a|ar)|execut(?:e|a|ar)|com|via|por meio de|mas sim|e sim|sim|sempre|faça|temos|trabalhe em|coloque|prefira|é|só|usando|através de|primeiro|e',
  notNext:
    'não(?: use| utilize| com)?|nunca(?: use)?|jamais|em vez de|ao invés de|no lugar de|em hipótese alguma|evite|evita|pare de|nada de|proibido|nem|em nenhum caso|de jeito nenhum',
  notBefore:
    '(?:é|são|está|estão|fica|ficam)(?: \\w+mente)? (?:proibid[oa]s?|vetad[oa]s?|banid[oa]s?)|não (?:é|são) permitid[oa]s?|proibid[oa]s?|não (?:se|deve|devem|pode|podem) (?:ser )?(?:mexe|mexer|edita|editar|editad[oa]s?|alterad[oa]s?|mexid[oa]s?|tocad[oa]s?|usad[oa]s?|usar|usa)|em paz|quiet[oa]|como est(?:á|ão)|intact[oa]|(?:é|são|está|estão) (?:\\w+mente )?(?:gerad|mantid|gerenciad)[oa]s?|pertencem?',
  without:
    'sem(?! (?:me )?(?:perguntar|consultar|avisar|pedir)| minha| meu| a minha| o meu)|a menos que(?! eu)|até que|salvo se',
  before:
    'antes (?:de|do|da|dos|das)(?: fazer| cada| todo| toda| qualquer| um| uma| o| a)* |quando (?:você )?|ao |para ',
  beforeAfter: 'vem depois',
  decided:
    '(?:nós |a gente )?(?:decidimos|decidiu|combinamos|acordamos|resolvemos|optamos|concordamos)|decisão:|decidido:|combinado:',
  local:
    'desta vez|dessa vez|por (?:agora|enquanto|hoje)|só (?:desta vez|dessa vez|hoje|agora|aqui|por hoje)|apenas (?:desta vez|hoje|agora)|temporariamente|provisoriamente|hoje|amanhã|no momento|neste momento|atualmente|(?:neste|nesta|nesse|nessa|para este|para esta|deste|desta) (?:PR|commit|teste|arquivo|ficheiro|função|método|branch|ticket|componente|classe|tarefa|sessão|passo|caso|mudança|migração|página|tela)|ainda não|tanto faz|deixa pra lá|esquece|até (?:amanhã|segunda|terminarmos)|(?:este|esta|esse|essa) (?:teste|função|arquivo|commit|branch|tarefa|método|componente|erro|linha)',
  question:
    'devemos|deveríamos|devo|podemos|pode|poderia|por que|por quê|porque que|o que|quem|qual|quais|onde|como|quando(?! você)|quanto|tem como|há|existe|será que|você acha|dá para|é possível',
  polite: '(?:você )?(?:pode|poderia|podes) (?:\\w+ ){0,3}(?:sempre|nunca|a partir de agora)',
  suppose:
    'imagine|imagina|suponha|suponhamos|supondo|e se|digamos|se (?:sempre|nunca|usássemos|tivéssemos|fosse|a gente)|seria|seriam|poderia|poderiam|talvez|acho que|em teoria|como se|teria|deveria',
  irony:
    'ótimo,? (?:então|agora)|legal,? (?:então|agora)|que (?:ótimo|lindo|maravilha|legal),? (?:agora|então)?|bravo|kkk+|haha|rsrs|claro,? (?:pra que|para que|vamos)|perfeito,? (?:então|agora)|fantástico|maravilha,? (?:então|agora)|parabéns|quem precisa',
  weak: 'nem sempre|não (?:sempre|necessariamente|precisa|é preciso|é necessário|tem que|é obrigatório)|como sempre|quase (?:sempre|nunca)|sempre (?:falha|falham|quebra|esqueço|dá|cai|retorna|foi|volta|aparece|mostra|trava)|nunca (?:funciona|funcionou|termina|falha|vi|tive|foi|carrega|passa|aparece)|para sempre|pra sempre|desde sempre',
  relative: 'que|quem|onde|para que|porque|pois|já que|se|embora|enquanto|cujo',
  product:
    'garanta|certifique-se|verifique se|assegure|deve|devem|deveria|tem que|têm que|precisa|precisam|pode|podem',
  status:
    'falha(?:m)?|falhou|quebrad[oa]s?|quebra|trava|erro|lent[oa]s?|vazi[oa]s?|falta|errad[oa]|não funciona|caiu',
  refuses:
    'não|nao|errado|pare|para|isso (?:não|está errado)|já (?:disse|falei)|eu (?:disse|falei)|de novo|por que (?:você|usou)|ah não|nunca|nada disso',
  work: 'comentários?|nomes? de (?:arquivos?|ficheiros?|branches?|variáveis)|mensage(?:m|ns) de commit|changelog|emojis?|dependências?|bibliotecas?|pacotes?|migrações|migração|migrations?|gerad[oa]s?|à mão|na mão|manualmente|segredos|credenciais|senhas|testes?(?: unitários)?|mocks?|mockar|mockamos|PRs?|pull[- ]requests?|branch(?:es)?|commits?|commitar|comitar|commite|comite|push|force[- ]push|subir|mergear|fazer merge|deploys?|deployar|fazer deploy|publicar|respostas?|responda|responder|em (?:português|inglês|espanhol)|resumos?|documentação|docs|README|produção|prod|staging|banco de dados|lockfile|indentação|ponto e vírgula|tipos|rebase|squash|scripts?|pasta|arquivos?|ficheiros?|diretório|instale|instalar|snapshots?|ticket|Jira|hooks?|suíte',
};
