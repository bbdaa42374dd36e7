import type { Words } from './words.ts';

export const fr: Words = {
  marks:
    "le|la|les|des|un|une|et|est|sont|ne|pas|nous|vous|il faut|chaque|notre|nos|fichier|fichiers|tu|il|dans|avec|sans|pour|sur|jamais|toujours|utilise|utilisez|lance|avant|ce|cette|au|aux|du|de|ici|plutôt|désormais|plus|que|qui|n'|d'|l'|fais|mets|cette fois|s'il te plaît|stp",
  always:
    'toujours|systématiquement|à chaque fois|sans exception|exclusivement|uniquement|par défaut|en toute circonstance',
  never: "(?:ne |n')?(?:\\S+ )?jamais|en aucun cas|sous aucun prétexte|plus jamais|aucun(?:e)?",
  dont: "ne \\S+ pas|n'\\S+ pas|ne pas|pas de|pas d'|évite(?:z|r)?|arrête(?:z)? (?:de|d')|interdiction de|n'\\S+ plus|ne \\S+ plus",
  only: 'uniquement|seulement|exclusivement|rien que',
  since:
    "désormais|dorénavant|à partir de (?:maintenant|aujourd'hui|là)|à l'avenir|dès (?:maintenant|à présent)|la prochaine fois|en règle générale|en général|de manière générale|règle générale|la règle|notre règle|nouvelle règle|pour l'avenir|pour la suite",
  place:
    "(?:dans|pour|sur) (?:ce|cette|notre|nos|tout le|toute la|l'ensemble du|le)(?: \\w+)? ?(?:dépôt|depot|repo|projet|projets|codebase|base de code|monorepo|équipe|entreprise|code)|chez nous|partout|notre (?:convention|équipe)|ce (?:projet|dépôt|repo)",
  here: 'ici',
  weUse:
    "(?:on|nous) (?:n')?(?:utilise|utilisons|emploie|employons|travaille|travaillons|écrit|écrivons|commite|committe|committons|pousse|poussons|déploie|déployons|teste|testons|a|avons|passe par|passons par|fait|faisons|met|mettons|squash\\w*|rebase\\w*|merge\\w*)|(?:nos|tous les|toutes les) \\S+ (?:sont|doivent|vont|commencent|passent|se font)",
  weNot:
    "(?:on|nous) (?:ne |n')(?:\\S+) (?:pas|jamais|plus)|(?:on|nous) \\S+ (?:pas|jamais) (?:de|d'|le|la|les)|personne ne (?:commite|pousse|modifie|touche)",
  remember:
    "retiens(?: bien)?|retenez|souviens-toi|souvenez-vous|rappelle-toi|rappelez-vous|n'oublie(?:z)? (?:pas|jamais)|oublie(?:z)? pas|garde(?:z)? (?:bien )?(?:à l'esprit|en tête|en mémoire)|note(?:z)? bien|note(?:z)? que|notez que|pour (?:mémoire|rappel|info)|à retenir|mémorise(?:z)?",
  ask: "demande(?:z)?[- ](?:moi|nous)|me demander|nous demander|demande(?:z|r)? (?:d'abord|avant|toujours|mon accord|confirmation|la permission)|sans (?:me|nous) (?:demander|consulter)|(?:sans|avec) (?:mon|notre) (?:accord|autorisation|feu vert|avis)|consulte(?:z)?-(?:moi|nous)|préviens-moi avant|attends mon (?:accord|feu vert)|sauf si je (?:te )?le demande|vérifie(?:z)? avec moi",
  banned:
    '(?:est|sont)(?: \\w+ment)? (?:interdit(?:e|s|es)?|banni(?:e|s|es)?|proscrit(?:e|s|es)?|prohibé(?:e|s|es)?|à proscrire|à bannir|tabou)|interdit(?:e|s|es)?(?: ici)?',
  handsOff:
    'pas touche(?: à| aux?)?|bas les pattes|ne touche(?:z|r)? (?:pas|jamais|plus)(?: à| aux?)?|touche(?:z)? pas(?: à| aux?)?|laisse(?:z)?(?: \\S+){0,5} (?:tranquille|intact\\w*|tel quel)|ne (?:pas |jamais )?toucher|ne modifie(?:z)? (?:pas|jamais)',
  owned:
    "(?:est|sont) (?:\\S+ment )?(?:généré(?:e|s|es)?|maintenu(?:e|s|es)?|géré(?:e|s|es)?|écrasé(?:e|s|es)?)|appartien(?:t|nent)|c'est l'équipe|(?:est|sont) à l'équipe|s'en occupe",
  habit:
    'à chaque|chaque fois(?: que)?|avant (?:chaque|tout|toute)|après (?:chaque|tout|toute)|pour (?:chaque|tout|toute|tous les|toutes les)|quand tu (?:ouvres|crées|fais|écris|ajoutes|commites|pousses) (?:un|une|des)|dès que tu|tous les (?:commits|tests|messages|fichiers)|toutes les (?:PR|migrations|branches)|chaque (?:commit|PR|test|branche|migration)',
  prefer: "je (?:préfère|veux|n'aime pas|déteste|aime)(?: \\w+)? (?:des|les|de|que|toujours|pas)",
  told: "je (?:t'|te |vous )?(?:l')?ai (?:déjà )?(?:dit|demandé)|combien de fois|encore une fois|comme je l'ai dit|je (?:te )?répète|tu as encore",
  use: "utilis(?:e|ez|er|ons)|emploie|lance(?:z|r)?|exécute(?:z|r)?|avec|via|par|mais|plutôt|toujours|prends|prend|passe(?:z)? par|on a|nous avons|fais|faites|travaille dans|c'est|mets|mettez|préfère|ajoute|écris",
  notNext:
    "jamais(?: de| d')?|pas(?: de| d'| avec| touche(?: à| aux?)?)?|au lieu de|au lieu d'|plutôt que|à la place de|et non|évite(?:z|r)?|arrête(?:z)? (?:de|d')|en aucun cas|sous aucun prétexte|aucun(?:e)?|ne touche(?:z|r)?(?: pas| jamais)?(?: à| aux?)?|n'utilise(?:z)?(?: pas| jamais| plus)?|interdiction d(?:e|')|ne (?=\\S+ (?:pas|jamais|plus)\\b)|n'(?=\\S+ (?:pas|jamais|plus)\\b)",
  notBefore:
    '(?:est|sont)(?: \\w+ment)? (?:interdit(?:e|s|es)?|banni(?:e|s|es)?|proscrit(?:e|s|es)?|à proscrire|à bannir|tabou)|interdit(?:e|s|es)?|(?:est|sont) (?:\\S+ment )?(?:généré|maintenu|géré)(?:e|s|es)?|appartien(?:t|nent)|ne (?:doit|doivent) (?:jamais|pas|en aucun cas)|tranquille|intact\\w*|tel quel|ne se (?:modifie|touche)(?:nt)? (?:pas|jamais)',
  without: 'sans(?! me demander| nous demander| mon| notre)|sauf si(?! je)|à moins (?:de|que)|tant que',
  before:
    "avant (?:de |d'|que tu |chaque |tout |toute |le |la |les |un |une )*|quand tu |lorsque tu |dès que tu |pour ",
  beforeAfter: 'vient après',
  decided:
    "(?:on|nous) (?:a|avons|s'est mis|nous sommes mis) (?:\\w+ )?(?:décidé|convenu|choisi|opté|d'accord)|(?:on|nous) (?:a|avons) (?:décidé|convenu|choisi)|décision ?:|décidé ?:",
  local:
    "cette fois(?:-ci)?|pour (?:cette fois|l'instant|le moment|aujourd'hui|maintenant)|(?:juste|seulement|uniquement) (?:cette fois|aujourd'hui|ici|pour)|temporairement|provisoirement|aujourd'hui|demain|en ce moment|actuellement|(?:dans|pour|sur) (?:ce|cet|cette) (?:PR|commit|test|fichier|fonction|méthode|branche|ticket|composant|classe|tâche|session|étape|cas|migration|module|page)|pas encore|laisse tomber|tant pis|jusqu'à (?:demain|lundi|ce que)|(?:ce|cette|cet) (?:test|fonction|fichier|commit|branche|PR|tâche|méthode|composant|bug|erreur|ligne)",
  question:
    "est-ce que|faut-il|doit-on|devons-nous|devrait-on|peut-on|peux-tu|pourrais-tu|pourquoi|comment|qu'est-ce|que se passe|qui|quel(?:le|s|les)?|où|quand est-ce|combien(?! de fois)|as-tu|y a-t-il|on devrait|tu peux",
  polite:
    '(?:peux|pourrais)-tu (?:\\w+ ){0,3}(?:toujours|désormais|jamais|dorénavant)|merci de (?=toujours|ne jamais|ne pas|désormais)',
  suppose:
    'imagine(?:z|ons)?|supposons|suppose(?:z)?|et si|admettons|si on|si nous|serait|seraient|aurait|pourrait|pourraient|peut-être|je pense|je crois|théoriquement|en théorie|comme si|mettons que|devrait',
  irony:
    "super,? (?:donc|alors|maintenant)|génial,? (?:donc|alors|maintenant|on)|bravo|mdr|lol|haha|bien sûr,? (?:et|on|oublions)|ben voyons|parfait,? (?:donc|alors|maintenant|plus)|formidable|magnifique|c'est ça,?|merveilleux|félicitations|qui a besoin de|chouette,? (?:donc|alors|plus)",
  weak: "pas (?:toujours|forcément|systématiquement|nécessairement)|toujours pas|comme toujours|encore et toujours|(?:est|sont|reste|échoue|échouent|plante|plantent|marche|ne marche|fonctionne|a|ai|renvoie|retourne|affiche|tombe|dit|donne|manque|ne \\S+) toujours|j'oublie toujours|pour toujours|presque (?:toujours|jamais)|n'a jamais|n'ont jamais|n'ai jamais|n'es jamais|ne (?:marche|fonctionne|termine|finit|répond|passe|s'affiche|se charge) jamais|jamais (?:vu|marché|fonctionné|su|eu)|pas besoin|pas obligé",
  relative:
    'que(?! tu| nous)|qui|dont|où|afin que|pour que|parce que|car|si|puisque|alors que|pendant que|bien que|lorsque(?! tu)',
  product: 'assure-toi|assurez-vous|veille(?:z)? à|fais en sorte|doit|doivent|devra|devrait|peut|peuvent',
  status:
    'échoue(?:nt)?|plante(?:nt)?|cassé\\w*|erreur|bloqué\\w*|lent\\w*|vide|manque\\w*|faux|ne marche|ne fonctionne',
  refuses:
    "non|nan|pas|stop|arrête|faux|c'est faux|mauvais|j'ai dit|je t'ai dit|encore|pourquoi (?:as-tu|tu as|tu)|mais non|oh non|oula|on n'utilise pas|ne",
  work: 'commentaires?|noms? de (?:fichiers?|branches?|variables?)|messages? de commit|changelog|emojis?|dépendances?|bibliothèques?|paquets?|migrations?|généré\\w*|à la main|manuellement|secrets|identifiants|mots de passe|tests?(?: unitaires)?|mocks?|mocker|PR|pull[- ]requests?|merge requests?|branches?|commits?|committer|commiter|commite|pousser|pousse|push(?:er)?|force[- ]push|merger|fusionner|déployer|déploie|déploiement\\w*|réponses?|réponds|répond(?:re|ez)|en (?:français|anglais|allemand)|résumés?|documentation|docs|README|production|prod|staging|base de données|lockfile|indentation|point-virgules?|types?|rebase|squash|scripts?|dossier|fichiers?|répertoire|installe\\w*|snapshots?|ticket|Jira|suite de tests|hooks?',
};
