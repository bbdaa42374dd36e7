// Vendors of Composer packages in common use. Made by scripts/well-known.js.
export const NAMES = `
ably abraham algolia amphp anourvalar api-platform archtechx artesaos askedio automattic awcodes aws bacon
bagisto barryvdh beberlei behat beyondcode bezhansalleh blackfire bolt botman box brainmaestro braintree
brianium brick bshaffer bugsnag bunny cakephp captainhook cartalyst cboden cebe chillerlan clue codeception
codeigniter4 colinmollenhour composer concrete5 contao craftcms cuyz dama darkaonline datadog dealerdirect
dedoc defuse deptrac doctrine dompdf dragonmantank drewm drupal drush dyrynda easycorp echolabsdev edamov
egulias elastic elasticsearch endroid enqueue ergebnis erusev evenement ezyang fabpot facade facebook
facebookads fakerphp filament firebase friendsofphp friendsofsymfony fzaninotto gedmo genealabs getbrevo
getkirby giggsey giorgiosironi google google-gemini-php googleads guzzle guzzlehttp hautelook http-interop
hubspot humbug hwi hybridauth hyperf illuminate imangazaliev inertiajs infection intervention irazasyed
jakub-onderka jenssegers jeroennoten jms johnpbloch joomla justinrainbow jwage kalnoy knplabs knuckleswtf
kreait kriswallsmith laminas laravel laravel-notification-channels laravel-zero lcobucci league
league-oauth2 lexik liip livewire lorisleiva maatwebsite magento magento-hackathon maglnet mailchimp mailgun
mailjet marcocesarato markbaker masterminds meilisearch mews mezzio michelf microsoft milon minishlink
mockery mollie moneyphp mongodb monolog mpdf mtdowling nelmio neos nesbot nexmo nikic nunomaduro nyholm
ocramius october omnipay open-telemetry openai-php opencart openspout openswoole opis orchestra owen-it
paquettg paragonie paypal pdepend pear pear-pear.php.net peppeocchi pestphp phalcon phar-io php-amqplib
php-cs-fixer php-http php-parallel-lint php-telegram-bot phpbench phpcompatibility phpcsstandards
phpdocumentor phpfastcache phpmailer phpmd phpmetrics phpoffice phpro phpseclib phpspec phpstan phpunit
picqer pimcore plivo postmark povils pragmarx predis prestashop prism-php propaganistas psalm psr pusher
pxlrbt qossmic quickbooks ramsey rappasoft ratchet react realrashid rector respect rize roadrunner-php roave
rollbar roots ruflin saade sabre santigarcor scrivo sebastian sendgrid sendinblue sensio sensiolabs sentry
setasign shopify shopware silber slim smalot socialiteproviders sonata-project spatie spiral squizlabs
stancl statamic staudenmeir steos stof stripe swiftmailer swoole sylius symfony symfony-bundles symfonycasts
symplify tecnickcom tedivm tenancy thecodingmachine theofidry theseer tightenco timber tomasvotruba twig
twilio tymon typesense typo3 typo3fluid unisharp upstatement vich vimeo vlucas voku vonage web-token
webmozart willdurand winter workerman wp-cli wp-coding-standards wpackagist-plugin wpackagist-theme yajra
yii2tech yiisoft yoast zendframework zenstruck zircote zizaco
`;
