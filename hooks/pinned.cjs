// @ts-check
// A connection to a server whose certificate nobody vouches for: it is known by its fingerprint (LORE_TLS_PIN), and nothing
// is sent before that has been compared.
'use strict';

/**
 * Returns the options by which `https.request` connects to the server with this certificate, and to no other.
 *
 * @param {string} pin SHA-256 of the certificate in hex, with colons or without
 * @returns {{ createConnection: import('node:https').RequestOptions['createConnection'] }}
 */
function pinnedTo(pin) {
  const wanted = plain(pin);
  return {
    createConnection({ host, hostname, port }, done) {
      const tls = require('node:tls');
      const to = { host: String(host ?? hostname), port: Number(port) || 443, rejectUnauthorized: false };
      const socket = tls.connect(to);
      const fail = (/** @type {Error} */ error) => done(error, /** @type {any} */ (undefined));
      socket.once('error', fail);
      socket.once('secureConnect', () => {
        socket.off('error', fail);
        const shown = socket.getPeerCertificate().fingerprint256 ?? '';
        if (plain(shown) === wanted) return done(null, socket);
        socket.destroy();
        const error = new Error(`the server shows another certificate than that of LORE_TLS_PIN: ${shown}`);
        fail(Object.assign(error, { code: 'OTHER_CERTIFICATE' }));
      });
      return /** @type {any} */ (undefined);
    },
  };
}

/** @param {string} fingerprint */
const plain = (fingerprint) => fingerprint.replaceAll(':', '').toUpperCase();

module.exports = { pinnedTo };
