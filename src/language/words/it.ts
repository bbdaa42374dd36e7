import type { Words } from './words.ts';

export const it: Words = {
  marks:
    "d'ora|i|falliscono|scrivi|nell'|dell'|all'|un'|il|lo|la|gli|le|un|una|è|sono|non|noi|con|senza|per|su|mai|sempre|usa|usate|usiamo|utilizza|prima|questo|questa|qui|del|della|dei|di|al|alla|più|che|adesso|ora|nel|nella|nei|fai|esegui|lancia|invece|solo|favore|ricorda|ricordati|da|tutti|tutte|dobbiamo|stavolta",
  always: 'sempre|ogni volta|senza eccezioni|esclusivamente|per default|di default|in ogni caso',
  never: '(?:non )?(?:\\S+ )?mai(?: più)?|in nessun caso|per nessun motivo|non (?:\\S+ )?più',
  dont: 'non|evita(?:re)?|smetti(?:la)? di|niente|vietato|basta',
  only: 'solo|soltanto|solamente|unicamente|esclusivamente',
  since:
    "d'ora in (?:poi|avanti)|da (?:ora|adesso|oggi)(?: in (?:poi|avanti))?|in futuro|per il futuro|la prossima volta|di regola|in generale|come regola|la regola|la nostra regola|nuova regola|regola generale|di norma",
  place:
    '(?:in|per) (?:questo|questa|tutto il|tutta la|tutti i)(?: \\w+)? ?(?:repo|repository|progetto|progetti|codice|monorepo|team|azienda|codebase)|(?:nel|nella|nei) (?:nostro|nostra|nostri|repo|repository|progetto|codice|team)(?: \\w+)?|da noi|ovunque|dappertutto|la nostra convenzione|(?:questo|il nostro) (?:repo|progetto|team)',
  here: 'qui|qua',
  weUse:
    '(?:noi )?(?:usiamo|utilizziamo|adoperiamo|lavoriamo con|facciamo|scriviamo|rilasciamo|eseguiamo|abbiamo|preferiamo|committiamo|pubblichiamo|installiamo|mettiamo|teniamo)|qui si usa(?:no)?|si usa|(?:i nostri|le nostre|tutti i|tutte le) \\S+ (?:sono|vanno|devono|iniziano|stanno)',
  weNot:
    'non (?:usiamo|utilizziamo|facciamo|scriviamo|mockiamo|committiamo|aggiungiamo|permettiamo|vogliamo|mettiamo|tocchiamo|modifichiamo|carichiamo|accettiamo)(?: mai| più)?|non si (?:usa|usano|tocca|toccano|modifica|modificano|fa|fanno|aggiungono)(?: mai)?|nessuno (?:tocca|modifica|fa)',
  remember:
    'ricorda(?:ti|te|tevi)?|non (?:ti )?dimenticar(?:e|ti|lo)|tieni (?:bene )?(?:a mente|presente|conto)|prendi nota|annota|memorizza|per (?:futura memoria|riferimento futuro|la prossima volta)|nota bene|segnati',
  ask: 'chiedi(?:mi|ci|lo)?(?: sempre| prima| il| la| conferma)*|chiedere|chieder(?:mi|ci)|consultami|consulta(?:re)? me|senza (?:chieder(?:mi|ci|e)|consultar(?:mi|ci)|avvisarmi|il mio (?:ok|permesso|consenso)|la mia (?:approvazione|autorizzazione))|(?:con|solo con) (?:il mio (?:ok|permesso|consenso)|la mia (?:approvazione|autorizzazione))|aspetta (?:il mio|la mia)|a meno che (?:io )?non (?:te )?lo chieda|confermare con me|avvisami prima',
  banned:
    '(?:è|sono)(?: \\w+mente)? (?:vietat[oaie]|proibit[oaie]|bandit[oaie]|off-limits)|non (?:è|sono) (?:ammess[oaie]|consentit[oaie]|permess[oaie])|vietat[oaie]',
  handsOff:
    "non toccare|giù le mani(?: da(?:l|lla|i|gli|lle|ll')?)?|mani a posto|lascia(?:te)?(?: \\S+){0,5} (?:stare|in pace|così com'è|com'è|intatt[oa])|non (?:modificare|cambiare|editare)|non si tocca(?:no)?",
  owned:
    '(?:è|sono|viene|vengono) (?:\\w+mente )?(?:generat[oaie]|mantenut[oaie]|gestit[oaie]|curat[oaie]|sovrascritt[oaie])|(?:lo|la|li|le)? ?(?:mantiene|gestisce|genera|cura)|appartien(?:e|gono)|è (?:del|di) (?:team|legale|ops)|se ne occupa',
  habit:
    'ogni volta che|ogni|prima di (?:ogni|qualsiasi|ciascun)|dopo (?:ogni|qualsiasi)|per (?:ogni|tutti i|tutte le|qualsiasi)|quando (?:apri|crei|fai|scrivi|aggiungi) (?:un|una|dei|delle)|tutti i (?:commit|test|messaggi)|tutte le (?:PR|migrazioni|branch)|a ogni|ad ogni',
  prefer:
    '(?:preferisco|mi piacciono|non mi piacciono|odio|voglio)(?: \\w+)? (?:i|le|gli|commit|test|messaggi|branch|PR|risposte|nomi|che)',
  told: "(?:te )?l'ho (?:già )?detto|ti ho (?:già )?detto|quante volte|di nuovo|come (?:ti )?ho detto|ripeto|hai di nuovo",
  use: 'usa(?:te|re)?|usiamo|utilizza(?:re)?|esegui|eseguire|lancia(?:re)?|con|tramite|via|bensì|ma|sempre|fai|abbiamo|passa per|lavora in|metti|preferisci|è|solo|usando|attraverso|meglio',
  notNext:
    'non(?: usare| con)?|mai|invece di|invece che|al posto di|anziché|piuttosto che|evita(?:re)?|smetti(?:la)? di|niente|in nessun caso|per nessun motivo|e non|vietato|basta|giù le mani da\\w*|non toccare|né',
  notBefore:
    "(?:è|sono)(?: \\w+mente)? (?:vietat[oaie]|proibit[oaie]|bandit[oaie])|non (?:è|sono) (?:ammess[oaie]|consentit[oaie]|permess[oaie])|vietat[oaie]|non si (?:tocca|toccano|modifica|modificano|usa|usano)(?: mai)?|non (?:va|vanno)(?: mai)? (?:toccat|modificat|usat)[oaie]|stare|in pace|com'è|intatt[oa]|(?:è|sono|viene|vengono) (?:\\w+mente )?(?:generat|mantenut|gestit)[oaie]|(?:lo|la|li|le) (?:mantiene|gestisce|genera)|appartien(?:e|gono)",
  without: 'senza(?! chieder| consultar| avvisar| il mio| la mia)|a meno che non|finché non|salvo',
  before: 'prima (?:di|del|della|dei|che)(?: fare| ogni| qualsiasi| un| una| il| la)* |quando |per ',
  beforeAfter: 'viene dopo',
  decided: 'abbiamo (?:\\w+ )?(?:deciso|concordato|scelto|stabilito)|decisione:|deciso:|si è deciso',
  local:
    "stavolta|questa volta|per (?:ora|adesso|il momento|oggi|questa volta)|solo (?:stavolta|questa volta|oggi|ora|adesso|qui|per)|temporaneamente|provvisoriamente|oggi|domani|al momento|attualmente|(?:in|per|con) (?:questo|questa|quest') ?(?:PR|commit|test|file|funzione|metodo|branch|ticket|componente|classe|task|sessione|passo|caso|modifica|migrazione|pagina)|non ancora|lascia perdere|non importa|fino a (?:domani|lunedì|quando)|(?:questo|questa) (?:test|funzione|file|commit|branch|task|metodo|componente|errore|riga)",
  question:
    "dovremmo|dobbiamo|devo|possiamo|puoi|potresti|perché|cosa|che cosa|chi|quale|quali|dove|come(?! ti| ho)|quando(?! apri| crei| fai)|quanto|hai|c'è|ci sono|è possibile|si può|sai|pensi|non sarebbe",
  polite: "(?:puoi|potresti) (?:\\w+ ){0,3}(?:sempre|mai|d'ora in poi)",
  suppose:
    'immagina|immaginiamo|supponi|supponiamo|mettiamo che|e se|se (?:sempre|usassimo|avessimo|fosse)|sarebbe|sarebbero|potrebbe|potrebbero|forse|magari|credo che|penso che|in teoria|come se|avrebbe|dovrebbe',
  irony:
    '(?:ottimo|fantastico|bello|perfetto|grande|benissimo|splendido),? (?:quindi|allora|così|adesso|ora)|bravo|bravi|haha|ahah|certo,? (?:tanto|come|chi)|complimenti|che bello|chi ha bisogno|a che serv(?:e|ono)',
  weak: "non (?:sempre|necessariamente|è necessario|serve|occorre|devi|c'è bisogno|è obbligatorio)|come sempre|quasi (?:sempre|mai)|sempre (?:fallisce|falliscono|rotto|stato|dimentico)|(?:fallisce|falliscono|dimentico|crasha|è|sono|restituisce|mostra) sempre|(?:funziona|funzionato|finisce|visto|stato|carica|passa|appare|si vede) mai|mai (?:funzionato|visto|stato)|per sempre|da sempre|caso mai|semmai|non è mai|non ha mai|non sono mai|sempre più|sempre meno",
  relative: 'che|chi|cui|dove|affinché|perché|poiché|se|anche se|mentre|siccome',
  product: 'assicurati|verifica che|controlla che|fai in modo|deve|devono|dovrebbe|può|possono',
  status:
    'fallisc(?:e|ono)|rott[oaie]|crasha|errore|bloccat[oaie]|lent[oaie]|vuot[oaie]|manca(?:no)?|sbagliat[oaie]|non funziona',
  refuses:
    "no|sbagliato|non|fermo|stop|basta|ma no|ti ho detto|l'ho (?:già )?detto|di nuovo|perché (?:hai|usi)|oh no|mai|così no",
  work: 'commenti|commento|nomi? (?:dei|di|del) (?:file|branch|variabili)|messaggi(?:o)? di commit|changelog|emoji|dipendenz[ae]|librerie?|pacchett[oi]|migrazion[ei]|generat[oaie]|a mano|manualmente|segreti|credenziali|password|test(?: unitari)?|mock|mockare|mockiamo|PR|pull[- ]request|branch|commit|committare|committi|pushare|push|force[- ]push|mergiare|mergere|fare merge|deploy|deployare|rilasciare|rilascio|pubblicare|rispost[ae]|rispondi|rispondere|in (?:italiano|inglese|tedesco)|riassunt[oi]|documentazione|docs|README|produzione|prod|staging|database|lockfile|indentazione|punto e virgola|tipi|rebase|squash|script|cartella|file|directory|installa(?:re)?|snapshot|ticket|Jira|hook|suite',
};
