/** The form for the variables of a template. */
import type { TemplateField } from '../../data/template-data.ts';

interface Props {
  readonly field: TemplateField;
  readonly name: string;
  readonly value: unknown;
  /** Takes a new value; undefined leaves the variable out. */
  readonly set: (value: unknown) => void;
}

const initial = ({ kind, fields = {} }: TemplateField): unknown => {
  if (kind === 'list') return [];
  if (kind === 'boolean') return false;
  if (kind === 'number') return 0;
  if (kind === 'text') return '';
  const needed = Object.entries(fields).filter(([, field]) => field.isNeeded);
  return Object.fromEntries(needed.map(([name, field]) => [name, initial(field)]));
};

/** A variable: its input, or the inputs of its fields and elements. */
export function FieldOf({ field, name, value, set }: Props) {
  const { kind, isNeeded, fields = {}, item } = field;
  const label = isNeeded ? name : `${name} (optional)`;
  if (kind === 'object' && (value === undefined || value === null))
    return (
      <button type="button" onClick={() => set(initial({ ...field, isNeeded: true }))}>
        Add {name}
      </button>
    );
  if (kind === 'object') return <Fields fields={fields} name={label} value={value} set={set} />;
  if (kind === 'list') {
    const items = Array.isArray(value) ? (value as unknown[]) : [];
    return (
      <fieldset class="form">
        <legend>{label}</legend>
        {item !== undefined &&
          items.map((one, index) => (
            <div class="line" key={index}>
              <FieldOf
                field={{ ...item, isNeeded: true }}
                name={`${name}[${index}]`}
                value={one}
                set={(next) => set(items.map((other, at) => (at === index ? next : other)))}
              />
              <button type="button" class="beside" onClick={() => set(items.filter((_, at) => at !== index))}>
                Remove {name}[{index}]
              </button>
            </div>
          ))}
        {item !== undefined && (
          <button type="button" class="beside" onClick={() => set([...items, initial(item)])}>
            Add to {name}
          </button>
        )}
      </fieldset>
    );
  }
  if (kind === 'boolean')
    return (
      <label class="switch">
        <input
          type="checkbox"
          checked={value === true}
          onInput={({ currentTarget }) => set(currentTarget.checked)}
        />
        {label}
      </label>
    );
  const read = (text: string) => {
    if (text === '' && !isNeeded) return undefined;
    return kind === 'number' || typeof value === 'number' ? numberIn(text) : text;
  };
  const shown = value === undefined || value === null ? '' : asText(value);
  return (
    <label class="field">
      <span>{label}</span>
      <input
        value={shown}
        inputMode={kind === 'number' ? 'decimal' : undefined}
        required={isNeeded && value === undefined}
        onInput={({ currentTarget }) => set(read(currentTarget.value))}
      />
    </label>
  );
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

/** The number that a text says; the text itself if it is none. */
const numberIn = (text: string) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

function Fields({
  fields,
  name,
  value,
  set,
}: Omit<Props, 'field'> & { readonly fields: Readonly<Record<string, TemplateField>> }) {
  const values = value as Readonly<Record<string, unknown>>;
  return (
    <fieldset class="form">
      <legend>{name}</legend>
      {Object.entries(fields).map(([own, field]) => (
        <FieldOf
          key={own}
          field={field}
          name={own}
          value={Object.hasOwn(values, own) ? values[own] : undefined}
          set={(next) => {
            const { [own]: _before, ...others } = values;
            const isKnown = Object.hasOwn(values, own);
            if (next === undefined) set(others);
            else set(isKnown ? { ...values, [own]: next } : { ...others, [own]: next });
          }}
        />
      ))}
    </fieldset>
  );
}
