import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { ownRows, time, userId } from '../../db/columns.ts';

/** Where pushes to a device go, at most one address for each device's key (sql/tenancy/push.sql removes it with the key). */
export const pushSubscriptions = pgTable(
  'push_subscriptions',
  {
    userId: userId(),
    /** the key that the device is signed in with */
    keyId: uuid('key_id').notNull(),
    /** the address at the push service of the browser's maker */
    endpoint: text('endpoint').notNull(),
    /** the public key and the secret of the browser, which alone reads what is sent (RFC 8291) */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    createdAt: time('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.keyId] }), ownRows()],
);

/** What devices were told of and still waits, so that several servers tell it once. */
export const pushTold = pgTable(
  'push_told',
  {
    userId: userId(),
    /** the code of the blocked command */
    code: text('code').notNull(),
    toldAt: time('told_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.code] }),
    index('push_told_time').on(t.userId, t.toldAt),
    ownRows(),
  ],
);
