import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { Env } from './env.ts';

/**
 * Lets browsers pass the answers on to pages of these origins, and to no other page. No cookies and no other credentials
 * of the browser come along: a page sends its key or token itself.
 */
export function pageOrigins(origins: string[]): MiddlewareHandler<Env> {
  const allowed = cors({
    origin: origins,
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['authorization', 'content-type'],
    maxAge: 600,
  });
  return (c, next) => (origins.includes(c.req.header('origin') ?? '') ? allowed(c, next) : next());
}
