import { FieldErrors, INVALID, required, text } from '../../checks/fields.ts';

const REQUIRED_FIELDS = ['name', 'address', 'city', 'country', 'zip_code', 'website_url'];
const OPTIONAL_FIELDS = ['phone', 'privacy_policy_url', 'terms_of_service_url'];

/** Reads the company information of a domain. Fields that are not given stay as they are. */
export function writeCompanyInfo(
  given: Readonly<Record<string, unknown>>,
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const errors = new FieldErrors();
  const known = (name: string) => {
    const value = before[name];
    return typeof value === 'string' ? value : null;
  };
  const level = given.info_level ?? before.info_level ?? 'business';
  if (level !== 'business' && level !== 'individual') errors.add('info_level', INVALID);
  const info = {
    ...Object.fromEntries(
      REQUIRED_FIELDS.map((name) => [name, required(given[name], known(name) ?? '', name, errors)]),
    ),
    ...Object.fromEntries(
      OPTIONAL_FIELDS.map((name) => [name, text(given[name], known(name), name, errors)]),
    ),
    info_level: level,
  };
  errors.throwIfAny();
  return info;
}
