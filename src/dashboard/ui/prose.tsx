import { Fragment } from 'preact';

/** Longer words may break, or they would be wider than the screen. */
const LONGEST_WHOLE = 24;
const LONG_WORD = new RegExp(`(\\S{${LONGEST_WHOLE + 1},})`);

/** A text in which paths, names of settings and the like break behind their own marks, not within a word. */
const Breakable = ({ children }: { children: string }) => (
  <>
    {children.split(LONG_WORD).map((part, n) =>
      n % 2 === 0
        ? part
        : part.split(/(?<=[/_.=:,])/).map((piece, m) => (
            <Fragment key={`${n} ${m}`}>
              {m > 0 && <wbr />}
              {piece}
            </Fragment>
          )),
    )}
  </>
);

/** A line of code: options (`-out=plan`) do not break behind their hyphens, which a browser would do. */
export const Options = ({ children }: { children: string }) => (
  <>
    {children.split(/((?<!\S)-\S+)/).map((part, n) =>
      n % 2 === 1 && part.length <= LONGEST_WHOLE ? (
        <span key={n} class="whitespace-nowrap">
          {part}
        </span>
      ) : (
        <Breakable key={n}>{part}</Breakable>
      ),
    )}
  </>
);

/** A text that somebody wrote. Words in `backticks` are shown as code. */
export const Prose = ({ children }: { children: string }) => (
  <>
    {children.split(/`([^`\n]+)`/).map((part, n) =>
      n % 2 === 0 ? (
        <Options key={n}>{part}</Options>
      ) : (
        <code key={n} class="rounded-sm bg-sunk px-1 font-mono text-code">
          <Options>{part}</Options>
        </code>
      ),
    )}
  </>
);
