import { FieldErrors, required, text } from '../../checks/fields.ts';
import { oneOf } from '../../checks/kind.ts';

const REQUIRED_FIELDS = ['name', 'address', 'city', 'country', 'zip_code', 'website_url'];
const OPTIONAL_FIELDS = ['phone', 'privacy_policy_url', 'terms_of_service_url'];

const infoLevel = oneOf(['business', 'individual']);

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
  errors.check(infoLevel, level, 'info_level');
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
