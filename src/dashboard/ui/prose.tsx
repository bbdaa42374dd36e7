/** A text that somebody wrote. Words in `backticks` are shown as code. */
export const Prose = ({ children }: { children: string }) => (
  <>
    {children.split(/`([^`\n]+)`/).map((part, n) =>
      n % 2 === 0 ? (
        part
      ) : (
        <code key={n} class="rounded-sm bg-sunk px-1 font-mono text-code">
          {part}
        </code>
      ),
    )}
  </>
);
