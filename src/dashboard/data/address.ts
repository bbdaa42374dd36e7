import { useEffect, useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';

/**
 * Returns what the address says after its `?`, and a function that changes one value of it; an empty one is taken out. The
 * browser's history gets no entry for it.
 */
export function useAddress(): [URLSearchParams, (name: string, value: string | null) => void] {
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string | null) =>
    setParams(
      (now) => {
        if (value) now.set(name, value);
        else now.delete(name);
        return now;
      },
      { replace: true },
    );
  return [params, set];
}

/** Returns a text once nobody has typed for a moment. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), 200);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
