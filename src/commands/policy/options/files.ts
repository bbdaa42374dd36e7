import type { OptionTable } from '../../options.ts';

/** All tests of find that compare a file's times: `-newer` and `-newerXY`. */
const NEWER = ['a', 'B', 'c', 'm'].flatMap((of) =>
  ['a', 'B', 'c', 'm', 't'].map((than) => `-newer${of}${than}=`),
);

/** Harmless options of programs that find, copy, move, remove, pack and describe files. */
export const options: OptionTable = {
  // these only print information, whatever their options are
  'stat, gstat': '* -f= -c= -t= --format= --printf=',
  'readlink, realpath, basename, dirname, pwd, which, whereis, lsattr, getfattr, getfacl, namei, du, gdu, df':
    '* -d= --max-depth= --threshold= --exclude= --exclude-from< -X< -B= --suffix= -s --relative-to= --relative-base= -t= --block-size=',
  'locate, mlocate, plocate':
    '-i -c -l= -n= -b -w -r -e -A -0 -S --regex --regexp --ignore-case --count --limit= --basename --wholename --existing --all --null --statistics',
  file: '-b -i -I -k -L -h -n -N -p -r -s -z -Z -0 -F= -e= -P= --brief --mime --mime-type --mime-encoding --extension --keep-going --dereference --no-dereference --no-pad --uncompress --separator= --exclude= --apple',
  tree: '-L= -I= -P= -a -d -f -x -i -l -p -s -h -u -g -D -F -q -N -Q -r -t -c -U -C -n -J -X -A -S -o> --charset= --filelimit= --dirsfirst --filesfirst --noreport --prune --du --si --inodes --device --gitignore --gitfile< --matchdirs --ignore-case --sort? --timefmt= --nolinks --metafirst --info --hintro= --houtro= --filesfirst',
  ncdu: '-x -q -r -e -0 -1 -2 --exclude= -X< --exclude-from< --color= --si --apparent-size',
  'find, gfind': `
    -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -type= -xtype= -size= -mtime= -ctime= -atime=
    -mmin= -cmin= -amin= -newer= -anewer= -cnewer= ${NEWER.join(' ')} -user= -group= -uid= -gid= -perm= -maxdepth=
    -mindepth= -printf= -fprintf= -fprint= -fprint0= -fls= -inum= -links= -lname= -ilname= -samefile= -fstype= -used=
    -regextype= -context= -flags= -not -and -a -or -o -! -( -) -print -print0 -ls -prune -quit -depth -d -xdev -mount -x -follow -L -H
    -P -E -X -s -f= -daystart -empty -true -false -executable -readable -writable -nouser -nogroup -noleaf -acl -warn
    -nowarn -ignore_readdir_race -noignore_readdir_race -version -dev -mnewer= -regex-type= -exec -execdir -ok -okdir -delete -O0 -O1 -O2 -O3 -D=`,
  'fd, fdfind': `
    -H -I -u -s -i -g -a -l -L -p -0 -F -1 -uu -e= -t= -d= -E= -S= -c= -j= -o= -x. -X. --exec. --exec-batch. --hidden --no-ignore
    --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings
    --absolute-path --list-details --follow --full-path --print0 --extension= --type= --max-depth= --min-depth=
    --exact-depth= --exclude= --size= --changed-within= --changed-before= --newer= --older= --owner= --color= --threads=
    --max-results= --base-directory= --search-path= --path-separator= --strip-cwd-prefix? --and= --prune --show-errors
    --one-file-system --ignore-file< --max-buffer-time= --batch-size= --format= --has-results`,
  'cp, gcp, ditto': `
    -a -b -c -d -f -i -H -l -L -n -P -p -R -r -s -S= -t> -T -u -x -X -Z --archive --recursive --force --interactive
    --no-clobber --parents --preserve? --no-preserve= --reflink? --sparse= --update? --backup? --link --symbolic-link
    --dereference --no-dereference --attributes-only --target-directory> --no-target-directory --remove-destination
    --strip-trailing-slashes --suffix= --one-file-system --progress --debug`,
  mv: `
    -f -i -n -u -b -h -S= -t> -T -x -Z --force --interactive --no-clobber --update? --backup? --target-directory>
    --no-target-directory --strip-trailing-slashes --suffix= --debug`,
  ln: `
    -s -f -n -i -r -h -P -L -T -b -F -w -S= -t> --symbolic --force --relative --no-dereference --interactive --logical
    --physical --backup? --suffix= --target-directory> --no-target-directory`,
  install: `
    -d -D -m= -o= -g= -t> -p -b -C -T -S= --directory --mode= --owner= --group= --target-directory> --preserve-timestamps
    --compare --backup? --suffix= --no-target-directory`,
  'rm, grm, srm, unlink, trash, del-cli': `
    -f -i -I -r -R -d -P -W -x --force --recursive --interactive? --dir --one-file-system --preserve-root?`,
  rimraf: '-g --glob --no-glob --preserve-root --verbose',
  shred: '-u -z -f -n= -s= -x --remove? --zero --force --iterations= --size= --exact',
  rmdir: '-p --parents --ignore-fail-on-non-empty',
  mkdir: '-p -m= -Z --parents --mode=',
  mkfifo: '-m= --mode=',
  touch: '-a -c -d= -m -r< -t= -h --date= --no-create --no-dereference --time= --reference<',
  tee: '-a -i -p --append --ignore-interrupts --output-error?',
  sponge: '-a',
  truncate: '-s= -c -o -r< --size= --no-create --io-blocks --reference<',
  fallocate: '-l= -o= -n --length= --offset= --keep-size -x --posix',
  mktemp: '-d -u -p> -t= --tmpdir? --suffix= --directory --dry-run',
  'split, csplit': `
    -# -b= -l= -n= -a= -C= -d -x -u -e -k -s -z -t= -f= --bytes= --lines= --number= --line-bytes= --suffix-length=
    --additional-suffix= --numeric-suffixes? --hex-suffixes? --elide-empty-files --unbuffered --separator= --prefix=
    --digits= --keep-files --silent`,
  // one without a listed option: its words are `if=…` and `of=…`
  dd: '',
  'rename, prename': '-n -s --no-act --nono --dry-run --symlink',
  mmv: '-n',
  patch: `
    -p= -i< -d> -R -N -E -f -t -b -s -z= -l -F= -u -o> -r> --dry-run --reverse --forward --force --batch --input<
    --directory> --strip= --backup --suffix= --binary --no-backup-if-mismatch --reject-file> --output> --fuzz= --silent
    --unified --remove-empty-files --ignore-whitespace`,
  pax: '-r -w -f= -z -a -d -k -n -u -x= -p=',
  // the rules and the knowledge know those that delete
  rsync: `
    --delete --del --delete-after --delete-before --delete-during --delete-excluded --delete-delay
    -a -r -u -z -h -n -c -l -L -p -t -g -o -D -H -A -X -P -i -W -x -S -R -C -E -m -k -K -O -J -U -N -I -0 -b -f= -T> -B= -4 -6
    --archive --recursive --update --compress --human-readable --dry-run --checksum --links --copy-links --copy-dirlinks
    --keep-dirlinks --copy-unsafe-links --safe-links --perms --times --group --owner --devices --specials --hard-links
    --acls --xattrs --partial --progress --itemize-changes --whole-file --one-file-system --sparse --relative
    --no-relative --cvs-exclude --executability --prune-empty-dirs --omit-dir-times --from0 --backup --exclude=
    --include= --exclude-from< --include-from< --filter= --partial-dir= --info= --debug= --stats --size-only
    --ignore-times --ignore-existing --existing --ignore-missing-args --inplace --append --append-verify --max-size=
    --min-size= --max-delete= --bwlimit= --chmod= --chown= --usermap= --groupmap= --out-format= --suffix= --backup-dir>
    --temp-dir> --log-file> --timeout= --modify-window= --compress-level= --compress-choice= --no-owner --no-group
    --no-perms --no-times --no-links --no-o --no-g --no-p --no-t --no-l --no-i-r --no-inc-recursive --no-compress
    --no-whole-file --no-motd --numeric-ids --list-only --mkpath --fuzzy --dirs --delay-updates --preallocate --fsync
    --no-implied-dirs --itemize --8-bit-output --outbuf= --super --fake-super`,
  'tar, gtar, bsdtar': `
    -c -x -t -r -u -A -z -j -J -Z -k -p -h -O -a -m -o -s -S -W -B -i -l -n -U -w -y -f= -C> -X< -b= -N= -V= --create --extract --get
    --list --append --update --file= --directory> --gzip --gunzip --bzip2 --xz --zstd --lz4 --lzma --compress
    --auto-compress --no-auto-compress --exclude= --exclude-from< --exclude-vcs --exclude-vcs-ignores --exclude-caches
    --exclude-ignore= --strip-components= --owner= --group= --mode= --numeric-owner --totals? --wildcards --no-wildcards
    --anchored --no-anchored --ignore-case --no-recursion --recursion --null --keep-old-files --keep-newer-files --overwrite
    --unlink-first --skip-old-files --to-stdout --no-same-owner --no-same-permissions --preserve-permissions --same-owner
    --same-permissions --sort= --mtime= --clamp-mtime --format= --one-file-system --dereference --hard-dereference
    --warning= --checkpoint? --touch --newer= --newer-mtime= --after-date= --xattrs --no-xattrs --acls --no-acls
    --selinux --no-selinux --full-time --utc --sparse --verify --block-number --show-defaults --force-local --label=
    --ignore-failed-read --one-top-level --posix --no-mac-metadata --uid= --gid= --uname= --gname= --options= --no-fflags
    --disable-copyfile`,
  zip: `
    -# -r -R -j -u -f -d -y -X -D -e -l -o -g -S -A -k -w -ll -x= -i= -b> -P= -s= -n= -t= -tt= -sf -FS -dc -db --recurse-paths
    --exclude= --include= --symlinks --junk-paths --update --freshen --encrypt --quiet`,
  unzip: '-l -t -Z -Z1 -z -p -c -d> -o -n -j -u -f -a -aa -b -C -L -X -U -P= -x= -1 -s -m -h -qq -M -O=',
  zipinfo: '-1 -2 -s -m -l -h -t -z -T -M -C',
  'gzip, gunzip, pigz, bzip2, bunzip2, xz, unxz, zstd, unzstd, lz4, lzma, unlzma, compress, uncompress': `
    -# -d -c -k -f -l -t -r -n -N -z -e -m -S= -T= -p= -o> -b= --best --fast? --decompress --uncompress --compress --stdout
    --to-stdout --keep --force --list --test --recursive --name --no-name --suffix= --rsyncable --processes= --threads=
    --extreme --format= --check= --memlimit= --memory= --ultra --long? --adaptive --sparse --no-progress --content-size
    --no-check --block-size= --robot --independent`,
  '7z, 7za, 7zz': '-ba -slt -r -p= -sccUTF-8',
  'unrar, rar': '-p= -v -c- -y',
  ar: '-t -p -r -c -s -q -T -O',
  cpio: `
    -t -o -p -d -m -u -v -0 -a -B -c -L -l -H= -O> -C= -M= --list --create --pass-through --null --make-directories
    --preserve-modification-time --unconditional --dereference --link --format= --reset-access-time --block-size=`,
  // -x and the like are permissions to take away
  'chmod, chgrp, chown, chflags': `
    -R -c -f -h -L -H -P -x -w -r -X -rw -rwx -wx -rx --recursive --changes --silent --no-dereference --dereference
    --preserve-root --from=`,
  setfacl:
    '-m= -x= -b -k -R -d -n --modify= --remove= --remove-all --remove-default --recursive --default --mask --no-mask --test',
  xattr: '-d= -c -r -l -p= -s',
  'isoinfo, objdump':
    '-d -D -t -T -x -h -p -f -s -S -C -r -R -l -i -j= -a --disassemble? --syms --dynamic-syms --all-headers --file-headers --section-headers --private-headers --source --demangle? --section= -M= --no-show-raw-insn',
};
