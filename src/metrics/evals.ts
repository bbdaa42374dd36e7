/** How right something was on a set of texts that is not anybody's data, as a command measured it. */
export type Eval = {
  name: string;
  /** a share (0–1) of `n` */
  value: number;
  n: number;
  command: string;
  /** the day of the measurement */
  measuredOn: string;
};

/**
 * How many of the decisions and findings that prompts were told are those that the prompts want, on the set of
 * `npm run eval:offers`. `npm run eval:offers -- --keep` writes the figures here.
 */
export const EVALS: Eval[] = [
  {
    name: 'decisions told with a prompt that wants them',
    value: 4 / 10,
    n: 10,
    command: 'npm run eval:offers',
    measuredOn: '2026-11-26',
  },
  {
    name: 'findings told with a prompt that wants them',
    value: 21 / 29,
    n: 29,
    command: 'npm run eval:offers',
    measuredOn: '2026-11-26',
  },
];
