import type { OptionTable } from '../../options.ts';

/** Options of shells, builtins and programs that run another command. */
export const options: OptionTable = {
  'sh, bash, rbash, zsh, dash, ash, ksh, mksh':
    '+ -c -l -i -e -u -x -v -n -s -f -a -b -h -m -p -r -B -C -E -P -T -o= -O= --login --norc --noprofile --posix',
  fish: '+ -c -l -i -n -N -P --login --no-config --private --no-execute',
  'echo, cd, :, true, false, test, [, [[, pushd, popd, dirs, shift, getopts, unset, alias, unalias, let, return, exit, break, continue, wait, type, shopt, setopt, unsetopt, umask, ulimit, trap, eval, logout, noglob, nocorrect':
    '*',
  printf: '+ -v=',
  set: '-a -e -u -x -v -n -f -h -b -m -p -B -C -E -H -P -T -o=',
  read: '-r -s -e -p= -a= -n= -N= -d= -t= -u= -i=',
  'mapfile, readarray': '-t -n= -d= -O= -s= -u=',
  'declare, typeset, local, readonly': '-a -A -i -r -x -g -p -f -F -l -u -t',
  export: '-p -n -f',
  hash: '-r -l -t -d',
  'sudo, doas': `+ -u= -g= -n -S -A -b -E -H -k -K -l -P -p= -T= --user= --group= --non-interactive --stdin
    --askpass --background --preserve-env --set-home --list --validate --prompt= --reset-timestamp`,
  'run0, pkexec': '+ -u= -g= --user= --group=',
  env: '+ -i -0 -u= --unset= --ignore-environment --null --debug',
  'nohup, builtin, busybox, toybox, torsocks, proxychains, noop': '+',
  setsid: '+ -c -f -w --ctty --fork --wait',
  nice: '+ -# -n= --adjustment=',
  ionice: '+ -c= -n= -t --class= --classdata= --ignore',
  chrt: '+ -b -d -f -i -o -r --batch --deadline --fifo --idle --other --rr',
  taskset: '+ -c -a --cpu-list --all-tasks',
  stdbuf: '+ -i= -o= -e= --input= --output= --error=',
  unbuffer: '+ -p',
  'timeout, gtimeout': '+ -k= -s= -f -p --kill-after= --signal= --foreground --preserve-status',
  time: '+ -a -l -p -f= -o> --append --portability --format= --output>',
  command: '+ -p -V',
  exec: '+ -a= -c -l',
  caffeinate: '+ -d -i -m -s -u -t= -w=',
  'strace, ltrace': `+ -f -F -t -tt -T -r -c -C -w -x -y -i -k -n -d -D -z -Z -e= -o> -s= -a= -S= -I= -O= -U= -X= -b=
    --follow-forks --summary --summary-only --decode-fds --trace= --output> --string-limit=`,
  watch: `+ -n= -d -t -b -e -g -c -p -w --interval= --differences --no-title --beep --errexit --chgexit --precise
    --no-wrap --color`,
  'xargs, gxargs': `+ -0 -o -p -r -t -x -I= -J= -R= -S= -L= -n= -P= -s= -E= -d= -a< -e? -i? -l? --null --open-tty --interactive
    --no-run-if-empty --exit --show-limits --replace? --eof? --max-args= --max-procs= --max-lines? --max-chars=
    --arg-file< --delimiter= --process-slot-var=`,
  parallel: `+ -0 -k -u -t -q -X -m -j= -n= -N= -L= -I= -P= -a< -d= -C= --null --keep-order --ungroup --group --bar
    --progress --eta --will-cite --no-notice --dry-run --line-buffer --lb --tag --jobs= --max-procs= --max-args=
    --max-replace-args= --max-lines= --arg-file< --delimiter= --colsep= --halt= --timeout= --delay= --retries= --joblog>
    --trim= --no-run-if-empty --load= --memfree= --nice= --header= --xargs`,
  flock: `+ -e -F -n -o -s -u -x -w= -E= -c --close --exclusive --nb --no-fork --nonblock --shared --unlock --timeout=
    --wait= --conflict-exit-code=`,
  faketime: '+ -f -m --exclude-monotonic',
  'cross-env, rlwrap, arch': '+',
  direnv: '+',
  'fnm env, brew shellenv':
    '--use-on-cd --shell= --version-file-strategy= --corepack-enabled --resolve-engines --log-level=',
  'pyenv init, rbenv init, nodenv init, jenv init, goenv init': '- - --path --no-rehash',
  'mise activate, rtx activate': '--shims',
  'ssh-agent': '-s',
  thefuck: '--alias',
  hyperfine: `-w= -r= -m= -M= -N -n= -i -u= --warmup= --runs= --min-runs= --max-runs= --export-json> --export-markdown>
    --export-csv> --parameter-scan= --parameter-list= --command-name= --ignore-failure --style= --time-unit=
    --show-output`,
  concurrently: `-n= -c= -k -r -p= -s= -m= -g -i --names= --prefix-colors= --kill-others --kill-others-on-fail --raw
    --prefix= --success= --max-processes= --group --timings --hide= --no-color --passthrough-arguments -P`,
  nodemon: '+ -w= -e= -i= -d= -L --watch= --ext= --ignore= --delay= --legacy-watch --inspect --signal=',
  watchexec:
    '+ -e= -w= -i= -r -c -n -d= --exts= --watch= --ignore= --restart --clear? --debounce= --no-vcs-ignore',
  entr: '+ -c -r -d -n -p -z -s',
  tmux: '-t= -s= -n= -p -F= -S= -E= -a -d -e -J -q -r',
  screen: '-ls -list -r? -dr -d -x -S= -wipe',
  'run-s, run-p, npm-run-all, npm-run-all2':
    '-s -p -l -c --sequential --parallel --silent --continue-on-error --print-label --race --aggregate-output',
};
