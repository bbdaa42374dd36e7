import { type FunctionName, functionOf } from './functions.ts';

// The bundle of all Edge Functions begins here.

declare const Deno: {
  env: { toObject(): Record<string, string> };
  serve(handler: (request: Request) => Response | Promise<Response>): unknown;
};
/** Supabase's runtime has it, plain Deno does not and lives on. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

/** Serves one of the functions. */
export function serve(name: FunctionName): void {
  const waitUntil = (work: Promise<unknown>) => {
    if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(work);
  };
  Deno.serve(functionOf(name, Deno.env.toObject(), waitUntil));
}
