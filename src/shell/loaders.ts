import type { Arg } from './types.ts';

// Version managers and toolchains put themselves into a shell: by a file of theirs that is sourced (`. ~/.nvm/nvm.sh`),
// or by a program of theirs whose output is evaluated (`eval "$(fnm env)"`). Both only set variables and functions.

const HOME = '(/root|/home/[^/]+|/Users/[^/]+)';
const FILES = `
  ${HOME}/\\.nvm/(nvm\\.sh|bash_completion)
  ${HOME}/\\.cargo/env ${HOME}/\\.local/bin/env ${HOME}/\\.deno/env ${HOME}/\\.ghcup/env ${HOME}/\\.poetry/env
  ${HOME}/\\.(asdf/asdf|sdkman/bin/sdkman-init|gvm/scripts/gvm|rvm/scripts/rvm|opam/opam-init/(init|variables))(\\.sh)?
  ${HOME}/\\.nix-profile/etc/profile\\.d/nix\\.sh
  ${HOME}/\\.?(mini|ana)conda3?/(etc/profile\\.d/(conda|mamba)\\.sh|bin/activate)
  ${HOME}/\\.?(miniforge|mambaforge)3?/(etc/profile\\.d/(conda|mamba)\\.sh|bin/activate)
  ${HOME}/(\\.local/share/)?(emsdk/emsdk_env|google-cloud-sdk/(path|completion)\\.bash|esp/esp-idf/export)(\\.sh|\\.inc)?
  ${HOME}/export-esp\\.sh
  /(opt/homebrew|usr/local|home/linuxbrew/\\.linuxbrew)/opt/(nvm/nvm|asdf/libexec/asdf|chruby/share/chruby/chruby)\\.sh
  /usr/(local/)?share/(nvm/init-nvm|chruby/chruby|chruby/auto)\\.sh
  /usr/share/bash-completion/bash_completion
  /nix/var/nix/profiles/default/etc/profile\\.d/nix(-daemon)?\\.sh
  /opt/(mini|ana)conda3?/(etc/profile\\.d/conda\\.sh|bin/activate)
  /opt/ros/[a-z]+/(local_)?setup\\.(ba|z)?sh
  \\$\\{?NVM_DIR\\}?/(nvm\\.sh|bash_completion)
  \\$\\{?CARGO_HOME\\}?/env \\$\\{?SDKMAN_DIR\\}?/bin/sdkman-init\\.sh \\$\\{?ASDF_DIR\\}?/asdf\\.sh`;

/** Matches the path of a file with which a version manager or a toolchain puts itself into a shell. */
export const LOADER = `^(${FILES.trim().split(/\s+/).join('|')})$`;

/** Matches commands whose output puts a version manager or the like into a shell. */
const PRINTS =
  /^(fnm env( --[\w-]+(=\w+)?)*|(pyenv|rbenv|nodenv|jenv|goenv|plenv|luaenv|swiftenv)( (virtualenv-)?init( -| --path| bash| zsh| sh)*)|(direnv|mise|rtx) (hook|activate) (bash|zsh|fish|sh)( --shims)?|mise activate( --shims)?|opam (config )?env( --[\w-]+(=[\w.]+)?)*|brew shellenv( bash| zsh)?|(zoxide|starship) init (bash|zsh)|conda shell\.(bash|zsh|posix) hook|ssh-agent( -s)?|luarocks path( --bin)?|dircolors( -b)?|thefuck --alias)$/;
const BREW = /^(\/opt\/homebrew|\/usr\/local|\/home\/linuxbrew\/\.linuxbrew)\/bin\/brew$/;

/** Whether what `eval` runs is nothing but what a version manager prints for that. */
export function evaluatesLoader(args: Arg[]): boolean {
  const [arg] = args;
  const [source, ...more] = arg?.from ?? [];
  if (args.length !== 1 || !arg || !source || more.length > 0 || source.remote || source.openArgs)
    return false;
  if (!/^(\$\([^()]*\)|`[^`]*`)$/.test(arg.text) || source.via.length + source.env.length > 0) return false;
  const program = BREW.test(source.path) ? 'brew' : source.path;
  return PRINTS.test([program, ...source.args.map(({ text }) => text)].join(' '));
}
