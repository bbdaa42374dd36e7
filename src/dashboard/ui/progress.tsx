/** How much of something is done. The text next to it says of what. */
export const Progress = ({ done, total, label }: { done: number; total: number; label: string }) => (
  <div
    role="progressbar"
    aria-label={label}
    aria-valuenow={done}
    aria-valuemin={0}
    aria-valuemax={total}
    class="h-1.5 overflow-hidden rounded-full bg-line"
  >
    <div class="h-full rounded-full bg-ok" style={{ width: `${total > 0 ? (100 * done) / total : 0}%` }} />
  </div>
);
