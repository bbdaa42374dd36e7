/** Longer words may break anywhere, or they would be wider than the screen. */
const LONGEST_WHOLE = 24;

/** A line of code: options (`-out=plan`) do not break behind their hyphens, which a browser would do. */
export const Options = ({ children }: { children: string }) => (
  <>
    {children.split(/((?<!\S)-\S+)/).map((part, n) =>
      n % 2 === 1 && part.length <= LONGEST_WHOLE ? (
        <span key={n} class="whitespace-nowrap">
          {part}
        </span>
      ) : (
        part
      ),
    )}
  </>
);

/** A text that somebody wrote. Words in `backticks` are shown as code. */
export const Prose = ({ children }: { children: string }) => (
  <>
    {children.split(/`([^`\n]+)`/).map((part, n) =>
      n % 2 === 0 ? (
        part
      ) : (
        <code key={n} class="rounded-sm bg-sunk px-1 font-mono text-code">
          <Options>{part}</Options>
        </code>
      ),
    )}
  </>
);
