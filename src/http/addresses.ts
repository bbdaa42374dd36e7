import { networkInterfaces } from 'node:os';

/** Interfaces of containers and virtual machines: no phone reaches them. */
const VIRTUAL = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|cni|flannel|utun)/;

/** Returns the IPv4 addresses by which other devices of the network reach this machine, real interfaces first. */
export function lanAddresses(): string[] {
  const found = Object.entries(networkInterfaces()).flatMap(([name, all = []]) =>
    all
      .filter(
        ({ family, internal, address }) => family === 'IPv4' && !internal && !address.startsWith('169.254.'),
      )
      .map(({ address }) => ({ address, virtual: VIRTUAL.test(name) })),
  );
  return found.sort((a, b) => Number(a.virtual) - Number(b.virtual)).map(({ address }) => address);
}

/** Returns whether a host of a URL, without its port, is this machine's own name for itself. */
export const isLoopback = (host: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/** Returns whether a server with this LORE_HOST listens on all interfaces. */
export const listensEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';
