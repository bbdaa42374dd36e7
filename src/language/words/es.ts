import type { Words } from './words.ts';

export const es: Words = {
  marks:
    'el|la|los|las|un|una|es|son|nosotros|en|con|antes|cada|nuestro|nuestra|preguntar|archivo|archivos|pruebas|hacer|sin|para|por|nunca|siempre|usa|usamos|utiliza|antes|este|esta|aquí|del|al|de|lo|más|que|jamás|vez|ahora|pero|hay|tú|haz|esto|eso|todo|todos|todas|favor|recuerda|ejecuta',
  always: 'siempre|en todo momento|cada vez|sin excepción|exclusivamente|por defecto|por norma|por sistema',
  never: 'nunca(?: más)?|jamás|en ningún caso|bajo ning(?:ún|una) (?:concepto|circunstancia)|ya no',
  dont: 'no|evita(?:r)?|deja de|prohibido|nada de|ni se te ocurra',
  only: 'solo|sólo|solamente|únicamente|exclusivamente',
  since:
    'a partir de (?:ahora|hoy|aquí|este momento)|de ahora en adelante|desde (?:ahora|hoy|ya)|en adelante|en el futuro|la próxima vez|la regla|nuestra regla|nueva regla|como norma|por regla general|regla general|en general|de hoy en adelante',
  place:
    '(?:en|para) (?:este|esta|nuestro|nuestra|nuestros|todo el|toda la|el)(?: \\w+)? ?(?:repo|repositorio|proyecto|proyectos|código|monorepo|equipo|empresa|base de código)|entre nosotros|en todas partes|nuestra (?:convención|norma)|(?:este|nuestro) (?:repo|proyecto|equipo)',
  here: 'aquí|acá',
  weUse:
    '(?:nosotros )?(?:usamos|utilizamos|empleamos|trabajamos con|hacemos|escribimos|desplegamos|ejecutamos|tenemos|preferimos|commiteamos|mergeamos|ponemos|guardamos|publicamos|instalamos)|aquí se (?:usa|usan|utiliza|utilizan|trabaja)|se usa|(?:nuestros|nuestras|todos los|todas las) \\S+ (?:son|van|deben|tienen|llevan|empiezan|se)',
  weNot:
    'no (?:usamos|utilizamos|hacemos|escribimos|mockeamos|commiteamos|añadimos|permitimos|queremos|ponemos|tocamos|editamos|subimos|metemos|aceptamos|simulamos|modificamos)|nunca (?:usamos|hacemos|commiteamos|tocamos|mockeamos|añadimos|subimos|editamos)|aquí no se|nadie (?:hace|toca|edita)|no se (?:usa|usan|toca|tocan|edita|editan|modifica|modifican|permite|permiten|añaden|hacen|commitea|sube)',
  remember:
    'recuerda|recordad|acuérdate|acordaos|no (?:te )?olvides|no olvides|ten(?:lo|ga)? (?:esto )?(?:en cuenta|presente)|tened en cuenta|apunta|anota|toma nota|memoriza|para (?:futuras? referencias?|la próxima|que conste)|recuérdalo',
  ask: 'pregúnta(?:me|nos|le)|consúlta(?:me|lo|nos)|consulta conmigo|pregunta (?:antes|primero)|pídeme|pide (?:permiso|mi|confirmación)|preguntar(?:me|nos)?|avísame antes|sin (?:preguntar(?:me|nos)?|consultar(?:me|lo|nos)?|avisar(?:me)?|mi (?:permiso|aprobación|ok|visto bueno))|(?:con|hasta tener) mi (?:permiso|aprobación|ok|visto bueno)|espera (?:a )?mi (?:ok|aprobación|confirmación)|salvo que (?:yo )?(?:te )?lo pida|confirma conmigo',
  banned:
    '(?:está|están|queda|quedan)(?: \\w+mente)? (?:prohibid[oa]s?|vetad[oa]s?|vedad[oa]s?)|no (?:está|están) permitid[oa]s?|prohibid[oa]s?|no se permiten?',
  handsOff:
    'no (?:lo |la |los |las )?toques(?: nada(?: (?:en|de))?)?|ni tocar|no tocar|manos fuera|deja(?: \\S+){0,5} (?:en paz|como est[áa]n?|tal cual)|no (?:modifiques|edites|cambies)|quita las manos',
  owned:
    '(?:es|son|está|están) (?:\\w+mente )?(?:generad[oa]s?|mantenid[oa]s?|gestionad[oa]s?|administrad[oa]s?)|(?:lo|la|los|las)? ?(?:mantiene|gestiona|genera|lleva|administra)|se genera(?:n)?|pertenecen? a|es de(?:l)? (?:equipo|legal|ops)|es cosa de',
  habit:
    'cada vez que|cada|antes de (?:cada|todo|cualquier)|después de (?:cada|todo|cualquier)|para (?:cada|todo|cualquier|todos los|todas las)|siempre que|cuando (?:abras|crees|hagas|escribas|añadas|subas) (?:un|una|unos)|todos los (?:commits|tests|mensajes|cambios)|todas las (?:PR|PRs|migraciones|ramas)|todo (?:commit|PR|cambio)',
  prefer:
    '(?:prefiero|me gustan|no me gustan|odio|quiero|detesto) (?:los|las|que|siempre|commits|tests|mensajes|ramas|PRs|respuestas|nombres)',
  told: '(?:ya )?te (?:lo )?(?:he dicho|dije)|cuántas veces|otra vez|como (?:ya )?(?:te )?(?:dije|he dicho)|te lo repito|sigues',
  use: 'usa(?:r|d|mos)?|utiliza(?:r|mos)?|emplea|ejecuta(?:r)?|corre|lanza(?:r)?|con|vía|mediante|sino|mejor|siempre|haz|tenemos|pasa por|trabaja en|pon|prefiero|es|solo|sólo|usando|a través de|primero',
  notNext:
    'no(?: use[sn]?| utilices| con)?|nunca|jamás|en (?:vez|lugar) de|en ningún caso|bajo ning(?:ún|una) (?:concepto|circunstancia)|evita(?:r)?|deja de|nada de|prohibido|ni|ya no|ni tocar|manos fuera de',
  notBefore:
    '(?:está|están|queda|quedan)(?: \\w+mente)? (?:prohibid[oa]s?|vetad[oa]s?)|no (?:está|están) permitid[oa]s?|prohibid[oa]s?|no se (?:toca|tocan|edita|editan|modifica|modifican|cambia|cambian|usa|usan)(?: nunca| jamás)?|no (?:debe|deben) (?:tocarse|editarse|modificarse|usarse)|en paz|tal cual|como est[áa]n?|(?:es|son|está|están) (?:\\w+mente )?(?:generad|mantenid|gestionad)[oa]s?|se genera(?:n)?|(?:lo|la|los|las) (?:mantiene|gestiona|genera|lleva)|pertenecen? a',
  without: 'sin(?! preguntar| consultar| mi| avisar)|salvo que(?! (?:yo )?(?:te )?lo)|a menos que|hasta que',
  before: 'antes de(?:l)? (?:hacer |que |cada |cualquier |un |una |el |la |los )*|cuando |al |para ',
  beforeAfter: 'va después',
  decided:
    '(?:hemos|habíamos) (?:\\w+ )?(?:decidido|acordado|elegido|quedado en)|decidimos|acordamos|quedamos en|decisión:|acordado:',
  local:
    'esta vez|por (?:ahora|el momento|hoy|esta vez)|(?:solo|sólo|solamente|únicamente) (?:por )?(?:esta vez|hoy|ahora|aquí)|temporalmente|provisionalmente|hoy|mañana|de momento|ahora mismo|actualmente|(?:en|para|con) (?:este|esta|ese|esa) (?:PR|commit|test|prueba|archivo|fichero|función|método|rama|ticket|componente|clase|tarea|sesión|paso|caso|cambio|migración|página)|todavía no|aún no|da igual|olvídalo|hasta (?:mañana|el lunes|que terminemos)|(?:este|esta) (?:test|prueba|función|archivo|fichero|commit|rama|tarea|método|componente|error|línea)',
  question:
    'deberíamos|debemos|tenemos que|podemos|puedes|podrías|por qué|qué|quién|cuál(?:es)?|dónde|cómo|cuándo|cuánto|has|hay|es posible|se puede|sabes|crees|no sería|¿.*',
  polite: '¿? ?(?:puedes|podrías) (?:\\w+ ){0,3}(?:siempre|nunca|a partir de ahora)',
  suppose:
    'imagina|imaginemos|supón|supongamos|suponiendo|y si|qué pasaría|si (?:siempre|nunca|usáramos|usásemos|tuviéramos|fuera)|sería|serían|podría|podrían|quizás?|tal vez|creo que|a lo mejor|en teoría|como si|habría|debería',
  irony:
    'genial,? (?:así|entonces|ahora|pues)|estupendo,? (?:así|entonces|ahora)|qué bien,? (?:ahora|así)|bravo|jaja|jajaja|claro,? (?:total|como|y)|perfecto,? (?:entonces|así que|ahora|pues)|fantástico|maravilloso|enhorabuena|felicidades|quién necesita|para qué (?:queremos|necesitamos)|muy bonito|qué maravilla',
  weak: 'no (?:siempre|necesariamente|hace falta|es necesario|hay que|tienes que|es obligatorio|necesitas)|como siempre|casi (?:siempre|nunca)|siempre (?:falla|fallan|se cae|olvido|me olvido|da|sale|devuelve|ha sido|funcionó|aparece|se rompe|pasa|muestra)|nunca (?:funciona|funcionó|termina|falla|ha|he|hemos|me|vi|carga|pasa|aparece|muestra|se muestra)|para siempre|siempre y cuando|de siempre|lo de siempre|desde siempre',
  relative: 'que|quien|cual|donde|para que|porque|ya que|si|aunque|mientras|pues',
  product:
    'asegúrate|asegura|verifica que|comprueba que|debe|deben|debería|tiene que|tienen que|puede|pueden|ha de',
  status:
    'falla(?:n)?|falló|rot[oa]s?|se cae|error|cuelga|lent[oa]s?|vací[oa]s?|falta|mal|incorrect[oa]|no funciona',
  refuses:
    'no|nop|mal|para|basta|eso (?:no|está mal)|incorrecto|te (?:he dicho|dije)|otra vez|por qué (?:has|usas|usaste)|que no|oh no|ay no|nunca',
  work: 'comentarios?|nombres? de (?:archivos?|ficheros?|ramas?|variables?)|mensajes? de(?:l)? commit|changelog|emojis?|dependencias?|librerías?|bibliotecas?|paquetes?|migraciones|migración|generad[oa]s?|a mano|manualmente|secretos|credenciales|contraseñas|tests?|pruebas(?: unitarias)?|mocks?|mockear|mockeamos|PRs?|pull[- ]requests?|ramas?|commits?|commitear|commitees|pushear|push|force[- ]push|subir|mergear|fusionar|desplegar|despliegues?|despliegas|respuestas?|responde(?:r|me)?|contesta|en (?:español|inglés|castellano|alemán)|resúmenes|documentación|docs|README|producción|prod|staging|base de datos|lockfile|indentación|punto y coma|tipos|rebase|squash|scripts?|carpeta|archivos?|ficheros?|directorio|instalar|instala|instales|snapshots?|ticket|Jira|hooks?|suite',
};
