import { useState } from 'preact/hooks';

const keyOf = (name: string) => `email-platform.${name}`;

/** Values of this page, where the browser refuses to remember them: it may forbid it to a file. */
const own = new Map<string, string>();

/** A choice that this browser remembers. */
export function remembered(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name)) ?? own.get(name) ?? null;
  } catch {
    return own.get(name) ?? null;
  }
}

export function remember(name: string, value: string): void {
  own.set(name, value);
  try {
    localStorage.setItem(keyOf(name), value);
  } catch {
    // The page itself remembers it.
  }
}

/** A choice that this browser remembers, as the state of a part of the page. */
export function useRemembered<Value extends string>(
  name: string,
  initial: Value,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState<Value>(() => (remembered(name) as Value | null) ?? initial);
  return [
    value,
    (chosen) => {
      setValue(chosen);
      remember(name, chosen);
    },
  ];
}
