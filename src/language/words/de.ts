import type { Words } from './words.ts';

export const de: Words = {
  marks:
    'der|die|das|und|ist|nicht|wir|bitte|ein|eine|einen|den|dem|im|immer|nie|niemals|hier|mit|ohne|für|auf|statt|kein|keine|keinen|bevor|nur|benutze|benutzt|verwende|nimm|nutze|mach|du|ich|zu|von|ab|vor|dass|wenn|diesmal|sondern|jetzt|wird|werden|auch',
  always: 'immer|stets|jedes Mal|jedesmal|ausnahmslos|grundsätzlich|prinzipiell|generell|ausschließlich',
  never:
    'nie(?:mals)?(?: mehr| wieder)?|unter keinen Umständen|auf keinen Fall|keinesfalls|keinerlei|nicht mehr|keinen? \\w+ mehr',
  dont: 'nicht|kein(?:e|en|er)?|lass|hör auf|vermeide|bloß nicht|bloß keine',
  only: 'nur|ausschließlich|bloß|lediglich',
  since:
    'ab (?:jetzt|sofort|heute|nun)|von (?:jetzt|nun|heute|hier) an|künftig|zukünftig|in Zukunft|fortan|nächstes Mal|beim nächsten Mal|im Allgemeinen|in der Regel|als Regel|Regel ist|unsere Regel|die Regel|neue Regel|Faustregel|für die Zukunft',
  place:
    '(?:in|für) (?:diesem|dieses|unserem|unser|unsere|allen unseren|dem ganzen|der ganzen|dieser|unserer)(?: \\w+)? (?:Repo|Repository|Projekt|Projekte|Projekten|Codebase|Codebasis|Monorepo|Team|Firma|Code)|im (?:ganzen |gesamten )?(?:Repo|Repository|Projekt|Monorepo|Team)|bei uns|überall|unsere Konvention|unser Team|(?:unser|dieses) (?:Repo|Projekt)',
  here: 'hier',
  weUse:
    'wir (?:benutzen|verwenden|nutzen|nehmen|haben|schreiben|committen|pushen|deployen|testen|arbeiten|mergen|rebasen|squashen|machen|setzen|bauen|releasen)|(?:benutzen|verwenden|nutzen|nehmen|machen|schreiben|committen|deployen|mergen|setzen) wir|hier wird|hier werden|(?:unsere|alle) \\w+ (?:sind|werden|müssen|gehen|liegen|heißen|beginnen)',
  weNot:
    'wir \\w+ (?:\\w+ ){0,4}(?:nicht|kein|keine|keinen|nie|niemals)|(?:benutzen|verwenden|nutzen|mocken|committen|pushen) wir (?:\\w+ ){0,3}(?:nicht|kein|keine|nie|niemals)|niemand (?:committet|pusht|ändert)',
  remember:
    'merk(?:e)? dir|denk(?:e)?(?: bitte)? daran|denk(?:e)? dran|vergiss (?:das |bitte )?nicht|behalte? (?:das )?im (?:Kopf|Gedächtnis|Hinterkopf)|notier(?:e)? dir|zur Erinnerung|für später|nicht vergessen|bitte merken|wichtig zu wissen',
  ask: 'frag(?:e|t)?(?: \\w+){0,3}? (?:mich|uns|nach|vorher|zuerst|erst)|frag(?:e|t)? (?:mich|uns|vorher|zuerst)|(?:mich|uns)(?: \\w+){0,3} (?:fragen|gefragt)|vorher (?:mit mir )?(?:fragen|absprechen|abstimmen|nachfragen)|nachfragen|Rücksprache|(?:ohne|mit|nur mit|nur nach) (?:meiner?|unserer?|meinem|mein|meine|ausdrücklicher|Absprache)(?: \\w+)?|hol(?:e)? dir (?:erst |vorher )?(?:mein|meine|unser)|sprich (?:das )?(?:erst |vorher )?mit mir|bestätigen lassen|um Erlaubnis|ohne zu fragen|ohne Nachfrage|ohne Rückfrage',
  banned:
    '(?:ist|sind|bleibt|bleiben)(?: hier| bei uns| strikt| streng| absolut| komplett| in diesem \\w+)* (?:verboten|tabu|untersagt|nicht erlaubt|nicht gestattet|nicht zulässig|unerwünscht|nicht erwünscht|gesperrt)|verboten',
  handsOff:
    'Finger weg(?: von)?|Hände weg(?: von)?|lass(?:e|t)?(?: \\S+){0,4} in Ruhe|in Ruhe lassen|nicht anfassen|nicht anrühren|fass(?:e|t)?(?: \\S+){0,5} (?:nicht|nie) an|rühr(?:e|t)?(?: \\S+){0,5} (?:nicht|nie) an|so lassen|unangetastet|unverändert',
  owned:
    '(?:wird|werden|ist|sind)(?: \\S+){0,6} (?:generiert|erzeugt|gepflegt|verwaltet|betreut|überschrieben)|gehört|gehören|macht nur|machen nur|pflegt|pflegen|verwaltet nur|ist Sache|kümmert sich',
  habit:
    '(?:vor|nach|bei|mit|für) (?:jedem|jeder|jedes|allen|jeden)|wann immer|jedes Mal,? wenn|jedesmal,? wenn|immer,? wenn|wenn du (?:einen|eine|ein|neue|neuen)|alle (?:neuen )?(?:Commits|Commit-Messages|PRs|Tests|Branches|Migrationen|Änderungen|Kommentare|Dateien)|jeder (?:Commit|PR|Branch|Test)|jede (?:Migration|Änderung)|zwischen Commits',
  prefer:
    'ich (?:mag|bevorzuge|hasse|will|möchte)(?: \\w+)? (?:keine|kleine|kurze|immer|lieber|nur)|mir sind|am liebsten|ich mag',
  told: 'ich (?:habe? )?(?:dir |es )?(?:schon |doch )*(?:gesagt|sagte)|hab(?:e)? ich (?:dir )?(?:schon |doch )*(?:\\w+ )?gesagt|wie oft|schon wieder|zum (?:\\w+ )?Mal|wie gesagt|ich wiederhole|ich sag(?:e|s)? (?:dir |es )?(?:schon |doch |immer )*',
  use: 'benutz(?:e|t|en)?|verwend(?:e|et|en)|nutz(?:e|t|en)?|nimm|nehmt|nehmen|mit|über|sondern|lieber|immer|nur|führ(?:e)?|starte?|lass|wir haben|ruf(?:e)?|per|via|arbeite|bearbeite|ändere|stattdessen|dafür|laufen|schreib(?:e)?|pack|setz(?:e|en)?|erstmal|erst|zuerst|vorher|geht nach|gehören nach|in',
  notNext:
    'nicht|nie(?:mals)?|kein(?:e|en|er)?|statt|anstatt|anstelle(?: von)?|auf keinen Fall|unter keinen Umständen|Finger weg(?: von)?|Hände weg(?: von)?|hör auf|vermeide|ohne zu|keinesfalls|bloß nicht',
  notBefore:
    '(?:ist|sind|bleibt|bleiben)(?: hier| bei uns| strikt| streng| absolut)* (?:verboten|tabu|untersagt|nicht erlaubt|nicht gestattet|nicht zulässig|unerwünscht)|verboten|(?:bitte |hier |direkt |von Hand |manuell |du )*(?:nicht|nie(?:mals)?|auf keinen Fall|unter keinen Umständen)(?: \\S+){0,5}(?: \\S*(?:anfassen|an|ändern|bearbeiten|editieren|anrühren|benutzen|verwenden|nutzen|verändern|einsetzen|löschen|nehmen|überschreiben|committen|einchecken|pushen))|in Ruhe|so lassen|wird(?: \\S+){0,6} (?:generiert|erzeugt|gepflegt|verwaltet)|werden(?: \\S+){0,6} (?:generiert|erzeugt|gepflegt|verwaltet)|gehört|gehören|unangetastet',
  without: 'ohne(?! zu fragen| Rückfrage| Nachfrage)|außer|solange nicht|es sei denn|bevor nicht|erst wenn',
  before:
    '(?:be)?vor (?:du |ihr |wir |man |dem |der |jedem |jeder |einem |einer |den |allen )*|ehe (?:du )?|wenn du |beim |bei jedem |zum ',
  beforeAfter: 'erst nach',
  decided:
    'wir haben (?:uns )?(?:\\w+ ){0,3}(?:entschieden|beschlossen|geeinigt|vereinbart)|wir haben uns|haben wir (?:beschlossen|entschieden|vereinbart)|Entscheidung:|Beschluss:|beschlossen:|vereinbart:',
  local:
    'diesmal|dieses Mal|nur (?:heute|jetzt|diesmal|kurz|einmal|hier|dieses Mal)|(?:für|fürs) (?:jetzt|heute|erste|diesen|diese[ns]?|den Moment)(?! Repo| Projekt)|erstmal nur|vorerst|vorläufig|im Moment|momentan|gerade|zurzeit|derzeit|heute|morgen|in (?:diesem|dieser) (?:PR|Commit|Test|Datei|Funktion|Methode|Branch|Ticket|Klasse|Komponente|Schritt|Fall|Aufgabe|Session|Änderung|Migration)|noch nicht|egal|vergiss es|macht nichts|bis (?:morgen|Montag|Freitag|nächste|wir|ich|zum)|vorübergehend|provisorisch|dies(?:e|er|en|es|em) (?:Test|Funktion|Datei|Commit|Branch|PR|Aufgabe|Methode|Klasse|Komponente|Zeile|Seite)|hier in der (?:Funktion|Datei|Methode|Klasse|Zeile)',
  question:
    'sollen wir|sollten wir|soll ich|müssen wir|benutzen wir|nehmen wir|warum|wieso|weshalb|was|wer|wie(?! oft| gesagt)|wo|welche[rsn]?|kannst|könntest|könnten|können|ist|sind|hast|haben wir|gibt|willst|wäre|darf ich|muss ich|wann|wird|geht',
  polite: '(?:kannst|könntest|würdest) du (?:bitte )?(?:\\w+ ){0,2}(?:immer|nie|künftig|ab jetzt|in Zukunft)',
  suppose:
    'angenommen|stell dir vor|was wäre|was,? wenn|wenn wir (?:immer|nie)|würde|würden|wäre|wären|hätte|hätten|könnte|könnten|vielleicht|eventuell|theoretisch|ich glaube|ich denke|als ob|mal angenommen|falls wir',
  irony:
    'super,? (?:also|dann|jetzt)|toll,? (?:also|dann|jetzt)|na toll|na super|klasse,? (?:also|dann|jetzt)|großartig|haha|lol|ja klar|aber klar|klar,? (?:lass|wir)|bravo|wer braucht (?:schon|denn)|prima,? (?:dann|jetzt|also)|wunderbar,? (?:dann|jetzt|also)|herzlichen Glückwunsch|ironie',
  weak: 'nicht (?:immer|jedes Mal|grundsätzlich|unbedingt)|immer noch|noch immer|wie immer|immer wieder|immer mehr|immer weiter|noch nie|immer (?:größer|kleiner|langsamer|schneller|öfter)|nie (?:funktioniert|geklappt|gesehen|gehört|fertig|gelaufen)|fast (?:immer|nie)|musst (?:du )?(?:\\w+ )?nicht|muss(?:t)? nicht|brauchst (?:du )?(?:\\w+ )?nicht|es ist (?:immer|nie)|ich (?:vergesse|mache|habe) (?:immer|nie|das immer)|schon immer|für immer|wo auch immer|was auch immer',
  relative:
    'dass|damit|sodass|weil|ob|falls|obwohl|welche[rsnm]?|, (?:der|die|das|den|dem)|wo|wenn(?! du)|während',
  product:
    'stell(?:e)? sicher|sorg(?:e)? dafür|achte darauf|soll(?:te|en|ten)?|muss|müssen|darf|dürfen|kann|können',
  status:
    'fehl|schlägt|schlagen|kaputt|stürzt|hängt|geht nicht|klappt nicht|funktioniert nicht|leer|falsch|langsam|fehlt|läuft nicht|ist rot|rot|abstürzt|kracht',
  refuses:
    'nein|nö|nee|nicht|falsch|stopp?|das ist falsch|halt|moment|doch nicht|ich habe gesagt|ich sagte|schon wieder|warum (?:hast|machst|benutzt)|wieso (?:hast|machst|benutzt)|quatsch|oh nein|kein|keine',
  work: 'Kommentare?|kommentier\\w*|Dateinamen?|Branchnamen?|Branch-Namen?|Commit-?(?:Messages?|Nachrichten?)|Commit-Texte?|Changelog|Emojis?|Abhängigkeit(?:en)?|Bibliothek(?:en)?|Pakete?|Migration(?:en|sdateien)?|generiert\\w*|von Hand|per Hand|händisch|manuell|Geheimnisse|Zugangsdaten|Passwörter|Tests?|Testdateien|Unit-Tests?|Mocks?|mocken|PRs?|Pull[- ]Requests?|Branch(?:es)?|Commits?|committen|committest|einchecken|pushen|pushe|mergen|deployen|deploye|Antworten?|antworte\\w*|auf (?:Deutsch|Englisch|Französisch)|Zusammenfassung(?:en)?|Doku|Dokumentation|README|Produktion|Prod|Staging|Datenbank|Lockfile|Lock-Datei|Rückfragen|Einrückung|Semikolons|Typen|Force-Push(?:es)?|Rebase|rebasen|squashen|Skripte?|Ordner|Datei(?:en)?|Verzeichnis|installier\\w*|Snapshots?|Ticketnummer|Jira|Linear|Heredocs',
};
