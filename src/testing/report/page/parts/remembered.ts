import { useState } from 'preact/hooks';

/** A choice that this browser remembers, where it lets a page remember anything. */
export function useRemembered<Value extends string>(
  name: string,
  initial: Value,
): readonly [Value, (value: Value) => void] {
  const key = `email-platform.${name}`;
  const [value, setValue] = useState<Value>(() => {
    try {
      return (localStorage.getItem(key) as Value | null) ?? initial;
    } catch {
      return initial;
    }
  });
  const remember = (chosen: Value) => {
    setValue(chosen);
    try {
      localStorage.setItem(key, chosen);
    } catch {
      // A browser may forbid it to a file.
    }
  };
  return [value, remember];
}
