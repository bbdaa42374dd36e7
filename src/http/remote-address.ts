import { isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Env } from './env.ts';

/** Returns the connection that a request came by; null if it came by none, or not by one of Node's. */
export const connectionOf = (c: Context<Env>) =>
  (c.env as Partial<HttpBindings> | undefined)?.incoming?.socket ?? null;

/**
 * Returns the address that a request came from; that of the proxy, if there is one; '' if it came by no connection, as in
 * the server itself, or by one that is closed already. An IPv4 address has its own form, also on a socket of IPv6.
 */
export const remoteAddress = (c: Context<Env>): string =>
  (connectionOf(c)?.remoteAddress ?? '').replace(/^::ffff:(?=[\d.]+$)/i, '');

/**
 * Returns what stands for one client when requests are counted: an IPv4 address as it is, of an IPv6 address the first 64
 * bits. Who has one address of such a network has 2^64 of them.
 */
export function countedAs(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('%', 1).join('').split('::');
  const [before, after] = [head, tail].map((text) => text.split(':').filter(Boolean)) as [string[], string[]];
  return [...before, ...Array(8 - before.length - after.length).fill('0'), ...after].slice(0, 4).join(':');
}
