import { ConfigurationError } from './errors.ts';

/** The refusal of an option; `label` is what the caller set, where that is not the option itself. */
export const invalid = (option: string, rule: string, label = option): ConfigurationError =>
  new ConfigurationError(`${label} ${rule}`, { option });

/** Refuses what is no object, or has an option that nobody knows. `option` is its own name, '' for options as such. */
export function refuseUnknown(value: unknown, known: readonly string[], option: string): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalid(option === '' ? 'options' : option, `must be an object with ${known.join(', ')}`);
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    throw invalid(
      option === '' ? key : `${option}.${key}`,
      `is not a known option; known are ${known.join(', ')}`,
    );
  }
}
