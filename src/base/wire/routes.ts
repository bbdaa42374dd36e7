// The types of everything that goes over HTTP. `npm run wire` makes them from the schemas of the routes, as does `npm run types`.
export type * from '../../../dist/wire.d.ts';
