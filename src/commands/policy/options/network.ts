import type { OptionTable } from '../../options.ts';

/**
 * Harmless options of programs that talk to other hosts. Those that send something (`-d`, `-u`) are listed, since
 * that does no harm on this machine; the knowledge of the network says where they may go.
 */
export const options: OptionTable = {
  curl: `
    -s -S -f -L -I -i -k -# -G -g -4 -6 -0 -1 -2 -3 -N -j -Z -R -J -O -l -a -o> -D> -c> -z= -r= -C= -m= -y=
    -Y= -w= -A= -H= -e= -X= -d= -F= -b= -u= --silent --show-error --fail --fail-with-body --fail-early
    --location --head --include --insecure --progress-bar --no-progress-meter --get --globoff --ipv4 --ipv6
    --http0.9 --http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --tlsv1 --tlsv1.0 --tlsv1.1
    --tlsv1.2 --tlsv1.3 --tls-max= --ciphers= --compressed --tr-encoding --raw --no-buffer --no-keepalive
    --keepalive-time= --junk-session-cookies --parallel --parallel-max= --path-as-is --remote-time
    --remote-header-name --remote-name --remote-name-all --output-dir> --create-dirs --output>
    --dump-header> --cookie-jar> --stderr> --trace> --trace-ascii> --trace-time --etag-save> --etag-compare<
    --libcurl> --hsts> --alt-svc> --time-cond= --range= --continue-at= --max-time= --connect-timeout=
    --retry= --retry-delay= --retry-max-time= --retry-connrefused --retry-all-errors --max-redirs=
    --max-filesize= --limit-rate= --rate= --speed-limit= --speed-time= --write-out= --user-agent= --header=
    --referer= --request= --url= --cacert< --capath< --styled-output --no-styled-output --list-only --proto=
    --proto-default= --proto-redir= --post301 --post302 --post303 --no-sessionid --remove-on-error
    --no-clobber --skip-existing --append --tcp-nodelay --expect100-timeout= --ssl-reqd --noproxy= --data=
    --data-raw= --data-binary= --data-urlencode= --data-ascii= --json= --form= --form-string= --form-escape
    --cookie= --user= --basic --digest --oauth2-bearer=`,
  wget: `
    -nv -nc -nd -np -nH -c -N -S -r -k -p -E -x -m -H -4 -6 -b -d -O> -P> -o> -a> -t= -T= -w= -U= -A= -R=
    -D= -I= -X= -l= -Q= --no-verbose --continue --output-document> --directory-prefix> --no-clobber
    --timestamping --server-response --spider --tries= --timeout= --connect-timeout= --read-timeout=
    --dns-timeout= --wait= --random-wait --waitretry= --limit-rate= --user-agent= --header= --referer=
    --no-check-certificate --progress= --show-progress --no-parent --accept= --reject= --accept-regex=
    --reject-regex= --domains= --exclude-domains= --include-directories= --content-disposition
    --trust-server-names --max-redirect= --inet4-only --inet6-only --no-cache --no-cookies
    --no-http-keep-alive --retry-connrefused --retry-on-http-error= --compression= --https-only
    --output-file> --append-output> --save-cookies> --keep-session-cookies --level= --mirror --recursive
    --page-requisites --convert-links --adjust-extension --span-hosts --no-host-directories --cut-dirs=
    --no-directories --force-directories --ignore-length --quota= --debug --no-hsts --no-netrc --no-proxy
    --unlink --start-pos= --save-headers --background --ca-certificate< --secure-protocol=`,
  websocat: '-n -1 -n1 -t -b -E -U -u -k --ping-interval=',
  'ab, hey, oha, bombardier, autocannon': `
    -n= -c= -t= -k -d= -q= -z= -m= -H= -s= -l -r -v= -p< -T= -i --latency --timeout= --connections= --duration= --rate=
    --no-tui --requests= --threads= -j --json`,
  wrk: '-t= -c= -d= -s! -H= --latency --timeout= --threads= --connections= --duration= --script!',
  wscat: '-c= -w= -x= -n --connect= --wait=',
  'http, https, xh, xhs': `
    -b -f -F -I -j -m -p= -S -s= --print= --headers --body --meta --form --json --follow --timeout=
    --check-status --ignore-stdin --pretty= --style= --sorted --unsorted --stream --verify= --all
    --max-redirects= --offline --default-scheme= --compress --format-options= --multipart`,
  'nc, ncat, netcat': '-z -n -u -4 -6 -C -N -w= -G= -q= -i= -t= -p=',
  'ping, ping6': `
    -c= -i= -W= -w= -s= -t= -I= -M= -m= -Q= -p= -S= -l= -T= -n -D -O -R -r -a -A -b -d -L -U -B -4 -6 -o
    --count= --interval= --timeout= --numeric --apple-time`,
  'dig, drill': '-4 -6 -x= -t= -p= -q= -c= -b= -u -m -r',
  nslookup: '* -type= -query= -port= -timeout= -class= -retry=',
  host: '-t= -c= -N= -R= -W= -m= -p= -a -C -d -l -r -s -T -U -w -4 -6',
  whois: '-p= -H -r -a -I -Q',
  grpcurl: '- -plaintext -d= -v -vv -format= -max-time= -proto< -protoset<',
  'traceroute, traceroute6, tracepath, tracepath6, tcptraceroute':
    '-m= -w= -q= -f= -N= -A -s= -g= -M= -l= -p= -z= -n -I -T -U -d -F -r -e -4 -6 -b',
  mtr: `
    -r -w -n -b -z -j -x -C -p -t -u -T -e -4 -6 -c= -i= -o= -s= -P= -m= -f= -G= -Z= --report --report-wide
    --report-cycles= --no-dns --show-ips --aslookup --json --xml --csv --raw --split --tcp --udp --interval=
    --max-ttl= --first-ttl= --port= --mpls`,
  'nmcli, networkctl, resolvectl': `
    -t -p -f= -g= -c= -a --terse --pretty --fields= --get-values= --colors= --all --no-pager --no-legend
    --json= -4 -6`,
  // options of its own end at the host; `notVerbs` of the knowledge sees to those behind it
  ssh: '-p= -l= -i" -o= -b= -c= -m= -B= -t -tt -T -4 -6 -C -n -x -a +',
  scp: '-r -p -q -C -P= -l= -c= -i< -o= -4 -6 -3 -B -T -O -R',
  'openssl s_client': `
    -connect= -servername= -host= -port= -starttls= -alpn= -cipher= -ciphersuites= -CAfile< -CApath<
    -verify= -verify_hostname= -verify_return_error -verifyCAfile< -showcerts -brief -status -prexit
    -ign_eof -no_ign_eof -crlf -msg -debug -state -nbio -tlsextdebug -partial_chain -x509_strict
    -noservername -tls1 -tls1_1 -tls1_2 -tls1_3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -no-interactive
    -no_ticket -servername= -4 -6`,
  'openssl x509': `
    -in< -noout -text -dates -subject -issuer -enddate -startdate -fingerprint -serial -checkend= -pubkey
    -modulus -purpose -ext= -nameopt= -certopt= -inform= -outform= -email -ocsp_uri -ocspid -hash
    -subject_hash -issuer_hash -sha1 -sha256 -sha384 -sha512 -md5 -alias -checkhost= -checkip= -checkemail=
    -out>`,
  'openssl rand': '-hex -base64 -out>',
  'openssl dgst, openssl sha256, openssl sha1, openssl sha512, openssl md5':
    '-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -r -c -d -hex -binary -signature< -verify< -out>',
  'openssl verify': `
    -CAfile< -CApath< -untrusted< -trusted< -partial_chain -purpose= -x509_strict -no_check_time -crl_check
    -show_chain -verbose -attime=`,
  'openssl req': '-in< -noout -text -subject -verify -pubkey -modulus -inform= -nameopt=',
  'openssl crl': '-in< -noout -text -inform= -issuer -lastupdate -nextupdate -fingerprint',
  'openssl ciphers': '-s -V -tls1 -tls1_2 -tls1_3 -stdname -psk -srp -ciphersuites=',
  'openssl asn1parse': '-in< -inform= -i -dump -strparse= -offset= -length= -noout',
  'openssl version': '-a -d -b -o -f -p -e -r -c',
  'openssl speed, openssl list': `
    -evp= -seconds= -multi= -bytes= -elapsed -mr -commands -digest-commands -digest-algorithms
    -cipher-commands -cipher-algorithms -public-key-algorithms -providers -disabled -1`,
};
