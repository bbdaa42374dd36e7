import type { OptionTable } from '../../options.ts';

const NAMES =
  'HUP INT QUIT ABRT KILL ALRM TERM USR1 USR2 CONT STOP TSTP TTIN TTOU CHLD PIPE WINCH URG IO TRAP PROF';
/** Signals as options, so that `-USR1` is not read as `-U` with a value. */
const SIGNALS = NAMES.split(' ')
  .flatMap((name) => [`-${name}`, `-SIG${name}`, `-${name.toLowerCase()}`])
  .join(' ');

/** Harmless options of programs that show or steer processes, disks and services. */
export const options: OptionTable = {
  times: '*',
  'lore obs':
    '-l= -g= -e= -C= -s= -p= -n= --json --lines= --grep= --regex= --context= --session= --project= --limit=',
  // what these run or set is looked at by the walk and by the rules
  jobs: '-l -n -p -r -s',
  'disown, fg, bg, suspend': '-a -h -r -f',
  history: '-#',
  fc: '-l -n -r -#',
  // without -E, which shows the environment of every process on a Mac
  ps: '-e -f -a -A -x -X -j -l -F -H -w -ww -y -Z -N -d -c -r -S -T -L -M -m -h -k= -o= -O= -p= -q= -u= -U= -C= -G= -g= -t= -s= --format= --pid= --ppid= --user= --User= --group= --sort= --sid= --tty= --forest --no-headers --no-heading --headers --cols= --columns= --lines= --deselect',
  'pgrep, pidof, pstree':
    '-# -f -l -a -n -o -x -i -c -w -d= -u= -U= -P= -g= -G= -t= -s= -F< -r= -A -p -h -T -H= -S -q --full --list-name --list-full --exact --newest --oldest --ignore-case --count --delimiter= --parent= --euid= --uid= --group= --pgroup= --terminal= --session= --show-pids --arguments --ascii --inverse',
  'top, htop, atop':
    '-b -n= -p= -u= -U= -d= -o= -O= -l= -c -H -i -1 -S -s= -F -R -w= -E= -e= -t -C -M -pid= -stats= -ncols= --delay= --user= --pid= --sort-key= --tree --no-colour --no-mouse --batch --iterations= --accum-time-toggle',
  // all that kill knows are signals
  kill: `* -# -l -L -s= -n= -p --signal= --list? ${SIGNALS}`,
  'pkill, killall, skill': `
    -# -f -x -n -o -i -I -e -c -w -a -l -m -r -s= -u= -U= -P= -t= -g= -G= -y= --signal= --full --exact --newest --oldest --ignore-case
    --euid= --uid= --parent= --user= --group= --pgroup= --wait --list --regexp --interactive --echo ${SIGNALS}`,
  renice: '-n= -p= -g= -u= --priority= --relative= --pid= --pgrp= --user=',
  lsof: '-i? -n -P -p= -u= -c= -a -d= -F? -l -t -R -U -r? -s? -T? -w -b -O -o -g? -L -N -X -K? -C -e= -k= -S?',
  'uptime, w, who, whoami, users, id, groups, logname, last, lastb, finger, pinky, uname, nproc, tty, hostid, runlevel, acpi, sensors, getconf, sw_vers, vm_stat, cal, ncal, sleep, printenv, clear, tput, uuidgen, getent, locale, quota, figlet':
    '* -n= -s= -t= -f=',
  'lscpu, lsblk, lsusb, lspci, lsmod, lsns, lshw, lslocks, lsipc, findmnt, mountpoint, free, vmstat, iostat, mpstat, pidstat, ioreg, system_profiler':
    '* -o= -s= -d= -c= -t= -p= -e= -I= -S= -C= -x= -n= --output=',
  blkid: '-o= -s= -t= -l -L= -U= -k -i -p --output= --match-tag= --match-token= --label= --uuid=',
  'fc-list, mdfind, mdls': '* -name= -onlyin= -f= -s=',
  'date, gdate':
    '-d= -u -r= -f= -I? -j -R -n -v= --date= --utc --universal --iso-8601? --rfc-3339= --rfc-2822 --rfc-email --reference< --debug',
  'hostname, domainname':
    '-f -s -i -I -d -A -a -y --fqdn --long --short --ip-address --all-ip-addresses --all-fqdns --domain --alias',
  dmesg:
    '-T -H -w -l= -f= -x -k -u -t -r -J -L? -e -S --ctime --human --follow --level= --facility= --decode --kernel --userspace --raw --json --since= --until= --notime --reltime --time-format= --nopager --syslog --follow-new',
  'ss, lastlog': '* -f= -u=',
  netstat:
    '-a -n -t -u -l -p -r -i -s -e -o -g -c -W -4 -6 -x -v -f= -b -m -L -I= --tcp --udp --listening --numeric --programs --all --route --interfaces --statistics --extend --wide --inet --unix',
  ip: '-4 -6 -s -d -j -p -o -br -brief -c -color -h -f= -family= -a -t -r -ts -details -json -pretty -stats -statistics -oneline -human -timestamp',
  'ifconfig, iwconfig, arp, route': '-a -s -n -e -ee -l -i= -A= -4 -6 -m -u',
  mount: '-l -t=',
  crontab: '-l -u=',
  'atq, lpstat, lpq': '-a -p -q= -t -d -s -r -o',
  'log show, log stream':
    '--process= --predicate= --last= --style= --info --debug --start= --end= --level= --type=',
  journalctl: `
    -u= -n= -p= -f -e -x -k -b? -r -S= -U= -o= -t= -g= -a -l -N -F= -m -T= -c= -xe -xeu= -fu= --since= --until= --no-pager --grep= --unit= --user-unit= --user
    --system --lines= --follow --reverse --boot? --output= --output-fields= --list-boots --disk-usage --dmesg --no-hostname
    --identifier= --priority= --facility= --no-tail --all --full --no-full --utc --catalog --pager-end --case-sensitive?
    --merge --fields --field= --header --truncate-newline --cursor= --after-cursor= --show-cursor`,
  systemctl:
    '--no-pager --user --system -t= --type= --state= -n= --lines= -l --full -a --all --no-legend --plain -p= --property= --value -o= --output= --failed -r --recursive --reverse --after --before --show-types --no-ask-password --legend? -P=',
  service: '--status-all',
  chkconfig: '--list -l',
  'timedatectl, localectl, hostnamectl, loginctl':
    '--no-pager -p= --property= -a --all --value -l --full --static --pretty --transient --json=',
  launchctl: '',
  sysctl: '-a -A -n -N -e -b -x -h -r= --all --values --names --ignore --binary --pattern= --deprecated',
  'getenforce, sestatus, aa-status':
    '-b -v --enabled --profiled --enforced --complaining --json --pretty-json',
  'iptables, ip6tables':
    '-L -S -n -x -t= -w? --list --list-rules --numeric --exact --line-numbers --table= --wait?',
  ufw: '',
  nft: '-a -n -j -nn -s --handle --numeric --json --stateless --terse -t',
  'stty, tset, reset, xset, xprop, xwininfo, xdpyinfo': '* -F= -I= -id= -name=',
  xrandr: '-q --query --current --listmonitors --listactivemonitors --listproviders --verbose --props',
  setxkbmap: '-query -print -display=',
  lsb_release: '-a -d -c -r -i -s --all --description --codename --release --id --short',
  ldconfig: '-p -N -X --print-cache',
  'ntpq, amixer, wmctrl': '-p -n -l -d -m -c= -D= -G -x',
  'open, xdg-open, say, notify-send, wl-copy, pbcopy': '-R -g -n -t= -u= -i= -a= -p -o',
  code: '-r -n -g -d -w -a -s --goto --diff --wait --add --reuse-window --new-window --list-extensions --show-versions --status --merge',
  'xclip, xsel':
    '-selection= -sel= -i -in -b -p -s --input --clipboard --primary --secondary -rmlastnl -l= -loops= -t=',
  'fdisk, sfdisk, parted': '-l -o= -x -m --list --list-details --output= --machine --bytes',
  diskutil: '-plist',
  'zpool, zfs': '-H -o= -p -r -t= -x -T= -L -P -s= -S= -d= -D -g -j -l -w -i --json',
  'lvs, vgs, pvs, lvdisplay, vgdisplay, pvdisplay':
    '-o= -a -O= -S= -m -c -C --all --noheadings --units= --separator= --options= --sort= --select= --maps --columns --segments --nosuffix --reportformat=',
  smartctl:
    '-a -A -H -i -c -x -l= -d= -n= --all --health --info --attributes --xall --scan --scan-open --capabilities --log= --device= --json?',
  hdparm: '-I -i -g -C',
  'nvidia-smi': '- -q -L --query-gpu= --query-compute-apps= --format= -i= --id= -d=',
  adb: '-l -s=',
  'adb logcat': '-d -t= -T= -v= -b= -m= -s',
  'mkfs.ext2, mkfs.ext3, mkfs.ext4, mkfs.vfat, mkfs.fat': '-q -F -L= -n= -t=',
  visudo: '-c -s -f= --check --strict',
  'ssh-add': '-l -L -E=',
  'ssh-keygen': '-l -f< -F= -E= -B -H',
  'gpg, gpg2':
    '-k -K -a -n --list-keys --list-public-keys --list-secret-keys --list-signatures --check-signatures --verify --fingerprint --with-fingerprint --with-colons --with-subkey-fingerprint --keyid-format= --show-keys --import-options= --armor --batch --no-tty --no-auto-key-retrieve --status-fd= --dry-run --list-packets --list-config',
  'vault, bao': '-format= -field= -version',
  'op, pass, gopass, doppler, infisical, bw, rbw, lpass':
    '--format= --json --vault= --no-color --project= --config= --only-names -f=',
};
