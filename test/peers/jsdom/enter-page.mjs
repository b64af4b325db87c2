import { JSDOM } from 'jsdom';
import { populateGlobal } from 'vitest/runtime';

/** Gives this process the globals of a page, as Vitest's environment `jsdom` does. Returns what takes them away again. */
export function enterPage() {
  const dom = new JSDOM('<!doctype html>', { url: 'http://localhost:3000/', pretendToBeVisual: true });
  const { keys, originals } = populateGlobal(globalThis, dom.window, { bindFunctions: true });
  return () => {
    dom.window.close();
    for (const key of keys) Reflect.deleteProperty(globalThis, key);
    originals.forEach((value, key) => (globalThis[key] = value));
  };
}
