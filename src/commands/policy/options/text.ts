import type { OptionTable } from '../../options.ts';

/** Harmless options of programs that show, search, compare and rewrite text and data. */
export const options: OptionTable = {
  // these only print, whatever they are told
  'ls, dir, vdir, eza, exa, lsd':
    '* -I= -w= --ignore= --hide= --width= --sort= --time= --time-style= --color? --block-size= --level= -L',
  'cat, tac, nl, rev, fmt, expand, unexpand, col, tsort, look, pr, expr, seq, yes, numfmt, factor, more, most':
    '*',
  'head, tail': '* -# -n= -c= --lines= --bytes= --pid= -s= --sleep-interval= --max-unchanged-stats=',
  wc: '* --files0-from<',
  'cksum, sum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, b2sum, shasum, md5, crc32': '*',
  'cmp, comm, diff, colordiff':
    '* -# -U= -C= -I= -x= -X< -i? --unified? --exclude= --exclude-from< --label= --width= -W= --output>',
  'cut, paste, join, tr': '* -d= -f= -b= -c= -1= -2= -t= -o= -e= -a= -v= -j=',
  'fold, column': '* -w= -s= -t= -c= -N= -R= -H= -o= -O=',
  'od, hexdump, hd, hexyl': '* -A= -t= -j= -N= -w= -n= -s= -e= -f< -l=',
  'strings, size, nm, c++filt, addr2line, readelf, otool': '* -n= -e= -t= -T= -j= -x= -p=',
  'grep, egrep, fgrep, zgrep, zegrep, zfgrep, bzgrep, xzgrep':
    '* -# -e= -f< -m= -A= -B= -C= -d= -D= --regexp= --file< --max-count= --include= --exclude= --exclude-dir= --exclude-from< --after-context= --before-context= --context= --label= --binary-files= --directories= --devices= --color?',
  diff3:
    '-A -e -E -x -X -3 -i -m -a -T -L= --label= --merge --text --show-all --easy-only --strip-trailing-cr',
  sdiff:
    '-s -l -w= -i -E -b -B -W -a -d -H -t -I= --suppress-common-lines --left-column --width= --ignore-case --ignore-all-space --ignore-blank-lines --text --minimal',
  'diffstat, xcbeautify, xcpretty': '-p= -c -s -t -q --simple --color --quieter --is-ci',
  delta:
    '-s -n --side-by-side --line-numbers --dark --light --width= --syntax-theme= --features= --paging= --navigate --hyperlinks --list-themes --show-config --keep-plus-minus-markers',
  difft:
    '--display= --color= --context= --width= --language= --skip-unchanged --exit-code --list-languages --background= --syntax-highlight= --tab-width= --check-only --ignore-comments',
  'pcregrep, ugrep':
    '-# -i -v -n -c -l -L -o -r -R -w -x -H -h -s -q -M -E -F -G -P -e= -f< -A= -B= -C= -m= --include= --exclude= --exclude-dir= --color? --count --files-with-matches --ignore-case --line-number --only-matching',
  rg: '-# -e= -f< -g= -t= -T= -A= -B= -C= -m= -r= -j= -d= -M= -E= -i -S -s -v -w -x -n -N -c -l -o -p -P -F -U -u -uu -uuu -a -z -L -H -I -0 -b --regexp= --file< --glob= --iglob= --type= --type-not= --type-add= --type-list --max-count= --max-depth= --max-columns= --max-columns-preview --max-filesize= --replace= --threads= --context= --after-context= --before-context= --context-separator= --sort= --sortr= --colors= --color= --encoding= --engine= --path-separator= --ignore-file< --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-global --no-messages --no-heading --heading --no-filename --with-filename --line-number --no-line-number --column --no-config --count --count-matches --files --files-with-matches --files-without-match --include-zero --ignore-case --case-sensitive --smart-case --invert-match --word-regexp --line-regexp --only-matching --fixed-strings --multiline --multiline-dotall --pcre2 --auto-hybrid-regex --passthru --pretty --json --stats --text --binary --trim --unrestricted --follow --one-file-system --null --null-data --vimgrep --crlf --search-zip --block-buffered --line-buffered --debug --trace --glob-case-insensitive --sort-files --byte-offset --stop-on-nonmatch -q',
  ag: '-# -A= -B= -C= -G= -m= -W= -p< -a -c -f -g= -i -l -L -n -o -Q -r -R -s -S -t -u -U -w -z -0 -H --after= --before= --context= --ignore= --ignore-dir= --depth= --hidden --nocolor --nogroup --noheading --literal --ignore-case --smart-case --case-sensitive --word-regexp --files-with-matches --count --column --line-numbers --all-text --all-types --vimgrep --js --ts --py --go --rust --java --cpp --cc --ruby --php --css --html --json --markdown --yaml --silent --stats',
  'ack, pt':
    '-# -A= -B= -C= -m= -i -v -w -c -l -L -n -o -H -h -r -s -x -f -g= -1 --type= --ignore-dir= --ignore-file= --js --ts --py --python --go --rust --java --ruby --php --css --html --json --md --yaml --shell --sql --nogroup --nocolor --literal --hidden --column --sort-files',
  'bat, batcat':
    '-# -p -pp -l= -r= -n -A -u -f -d -H= -L --plain --language= --line-range= --style= --paging= --theme= --color= --decorations= --number --show-all --wrap= --tabs= --terminal-width= --highlight-line= --file-name= --diff --list-languages --list-themes --force-colorization',
  'less, zless, zmore':
    '-# -N -n -S -R -r -F -X -i -I -M -m -E -e -f -G -g -s -w -W -u -U -J -L -p= -x= -j= -z= -y= --LINE-NUMBERS --RAW-CONTROL-CHARS --chop-long-lines --quit-if-one-screen --no-init --pattern= --tabs=',
  'zcat, gzcat, bzcat, xzcat, zstdcat, lz4cat': '-f -q -r --force --recursive',
  'zdiff, zcmp': '-u -b -w -i -B -y -U=',
  man: '-k -f -a -w -W -K -s= -S= -L= --where --path --all --apropos --whatis --sections= --locale=',
  info: '-a -w -k= -n= -f< --all --where --apropos= --node= --file< --subnodes',
  'apropos, whatis': '-a -e -l -r -w -s= -S= --and --exact --long --regex --wildcard --sections=',
  tldr: '-l -L= -p= --list --language= --platform= --markdown',
  sort: '-b -d -f -g -i -M -h -n -R -r -c -C -m -s -u -z -k= -t= -S= -T> -o> --key= --field-separator= --buffer-size= --temporary-directory> --output> --parallel= --batch-size= --unique --reverse --numeric-sort --general-numeric-sort --human-numeric-sort --version-sort --random-sort --month-sort --ignore-case --ignore-leading-blanks --ignore-nonprinting --dictionary-order --stable --merge --check? --zero-terminated --sort= --debug',
  uniq: '-# -c -d -D -i -u -z -f= -s= -w= --count --repeated --all-repeated? --ignore-case --unique --group? --skip-fields= --skip-chars= --check-chars= --zero-terminated',
  shuf: '-e -i= -n= -o> -r -z --echo --input-range= --head-count= --output> --random-source< --repeat --zero-terminated',
  xxd: '-a -b -c= -C -e -E -g= -i -l= -n= -o= -p -ps -plain -postscript -r -s= -u -U -d -revert -cols= -groupsize= -len= -seek= -include -bits -uppercase',
  iconv: '-f= -t= -c -s -l -o> --from-code= --to-code= --list --silent --output>',
  'base64, base32, basenc':
    '-d -D -i -w= -b= --decode --ignore-garbage --wrap= --break= --base64 --base64url --base32 --base16 --z85',
  'dos2unix, unix2dos':
    '-f -k -o -n -s -i? -l -m -r --force --keepdate --oldfile --newfile --info? --add-bom --remove-bom',
  ed: '-s',
  'sed, gsed':
    '-n -E -r -s -u -z -b -l= -i? -I? -e= --expression= --quiet --silent --in-place? --line-length= --null-data --regexp-extended --separate --posix --sandbox --unbuffered --binary --follow-symlinks --zero-terminated --debug',
  'awk, gawk, mawk, nawk':
    '-F= -v= -f! -e= --source= --file! --assign= --field-separator= --posix --traditional --re-interval --non-decimal-data --characters-as-bytes --sandbox --csv -n -b -c -k -M -r -P -S -t -O --lint? --bignum',
  'jq, gojq, jaq':
    '-r -c -n -s -S -e -j -a -R -C -M -f! -L! --arg= --argjson= --args --jsonargs --tab --indent= --from-file! --raw-output --raw-output0 --raw-input --compact-output --null-input --slurp --sort-keys --exit-status --join-output --ascii-output --color-output --monochrome-output --stream --stream-errors --seq --unbuffered --yaml-input --yaml-output',
  'yq, xq':
    '-r -c -n -s -S -e -j -M -C -P -p= -o= -N -0 -I= -y -Y -x -i --arg= --argjson= --raw-output --compact-output --null-input --slurp --exit-status --prettyPrint --input-format= --output-format= --indent= --no-doc --tojson --unwrapScalar? --colors --yaml-output --xml-output --inplace --in-place',
  dasel:
    '-f< -r= -w= -p= -s= -c -n -m --file< --read= --write= --parser= --selector= --compact --null --plain --multiple --pretty? --length',
  xmllint:
    '--xpath= --format --noout --html --recover --nonet --c14n --pretty= --encode= --schema< --dtdvalid< --relaxng< --stream --huge --noblanks --nowarning --output> -o> --valid --nocatalogs --timing',
  xmlstarlet:
    '-t -v= -m= -n -o= -c= -s= -i= -u= -d= -r= -T -B -Q --template --text --value-of= --match= --nl --noblanks -N= -b -e -w',
  'csvcut, csvgrep, csvlook, csvstat, csvsort, csvjson, csvformat':
    '* -c= -C= -d= -m= -r= -f< -e= -z= -K= -D= -T -n',
  mlr: '--icsv --ocsv --ijson --ojson --ijsonl --ojsonl --itsv --otsv --csv --tsv --json --jsonl --c2p --c2j --c2t --c2m --c2l --j2c --j2t --j2p --t2c --t2j --t2p --opprint --ipprint --oxtab --omd --barred --from< --ifs= --ofs= --fs= --ips= --ops= --irs= --ors= --implicit-csv-header --headerless-csv-output --headerless-csv-input --allow-ragged-csv-input --records-per-batch= --ofmt= -f= -n= -r -nr= -nf= -g= -a= -x -q -S -k -u -c',
  'fzf, sk':
    '-m -e -i +i -q= -f= -1 -0 -n= -d= --query= --filter= --multi --exact --height= --reverse --select-1 --exit-0 --no-sort --tac --layout= --prompt= --header= --ansi --nth= --delimiter= --with-nth= --border --print0 --read0',
  'bc, dc': '-l -w -s -q -i -e= -S= --mathlib --quiet --standard --warn --expression=',
  exiftool:
    '-a -G -G1 -s -S -n -j -json -csv -r -ext= -b -T -u -e -ee -time:all -all -X -p= -c= -d= -charset=',
  mediainfo: '-f --Full --Output= --Inform=',
  pygmentize: '-l= -f= -F= -O= -P= -g -L -S= -N=',
  glow: '-s= -w= -n --style= --width= -l',
  fx: '',
};
