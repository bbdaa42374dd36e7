/** How much of the server's resources a client may use. docs/realtime.md lists these. */
export const LIMITS = {
  /** bytes of a frame from a client; a larger one ends its connection */
  frameBytes: 256 * 1024,
  /** bytes that wait for a client that does not read; more end its connection */
  unsentBytes: 4 * 1024 * 1024,
  /** bytes from a client that wait to be handled; the server reads no more of it until then */
  unreadBytes: 512 * 1024,
  /** messages of a client at once, and per second in the long run; more end its connection */
  burst: 300,
  perSecond: 50,
  channelsPerSocket: 100,
  socketsPerUser: 200,
  /** connections whose user is not known yet */
  socketsOfNobody: 1_000,
  /** the same, of one address */
  socketsOfNobodyHere: 100,
  /** a connection whose user is not known by then ends */
  nobodyMs: 10_000,
  sockets: 2_000,
  /**
   * a connection ends after this long without a message (the heartbeat comes every 25 s), or without a
   * channel
   */
  idleMs: 60_000,
};
