import { type EmailPlatform, InvalidRequestError, ValidationError } from 'email-platform';
import { useState } from 'preact/hooks';
import { client } from './client.ts';
import { Problem } from './problem.tsx';

/** The fields of the form: name, label, and name in the errors of the service. */
const FIELDS = [
  ['name', 'Name', 'name'],
  ['subject', 'Subject', 'template.subject'],
  ['sender', 'Sender, before the @', 'from_local_part'],
  ['senderName', 'Name of the sender', 'from_display_name'],
] as const;
type Values = Record<(typeof FIELDS)[number][0], string>;

/** The messages about each field, from the service or from the client's own checks. */
function messagesOf(error: unknown): Record<string, readonly string[]> {
  if (error instanceof ValidationError) return error.fieldErrors;
  if (!(error instanceof InvalidRequestError)) return {};
  const entries = error.issues.map(
    ({ path, message }) => [path.replace('template_attributes', 'template'), [message]] as const,
  );
  return Object.fromEntries(entries);
}

/** A form for a draft's texts. Errors appear beside their fields. */
export function Draft({
  campaign,
  onSaved,
}: {
  readonly campaign: EmailPlatform.Campaign;
  readonly onSaved: () => void;
}) {
  const { name, template, from_local_part: sender, from_display_name: senderName } = campaign;
  const [values, setValues] = useState<Values>({
    name,
    subject: template.subject,
    sender,
    senderName: senderName ?? '',
  });
  const [error, setError] = useState<unknown>();
  const [state, setState] = useState<'' | 'saving' | 'saved'>('');
  const messages = messagesOf(error);
  const isBesideFields = FIELDS.some(([, , wire]) => messages[wire]);

  const save = async () => {
    setState('saving');
    setError(undefined);
    try {
      await client.campaigns.update(campaign.id, {
        name: values.name,
        from_local_part: values.sender,
        from_display_name: values.senderName === '' ? null : values.senderName,
        template_attributes: { subject: values.subject },
      });
      setState('saved');
      onSaved();
    } catch (failure) {
      setState('');
      setError(failure);
    }
  };

  return (
    <form
      noValidate
      aria-labelledby="draft"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 id="draft">Edit the draft</h2>
      {FIELDS.map(([field, label, wire]) => (
        <div class="field" key={field}>
          <label for={field}>{label}</label>
          <input
            id={field}
            value={values[field]}
            aria-invalid={messages[wire] !== undefined}
            aria-describedby={messages[wire] && `${field}-error`}
            onInput={({ currentTarget }) => {
              setValues({ ...values, [field]: currentTarget.value });
              setState('');
            }}
          />
          {messages[wire] && (
            <p class="error" id={`${field}-error`}>
              {messages[wire].join(', ')}
            </p>
          )}
        </div>
      ))}
      {error !== undefined && (
        <Problem error={error} {...(!isBesideFields && { retry: () => void save() })} />
      )}
      <p>
        <button type="submit" disabled={state === 'saving'}>
          Save
        </button>{' '}
        <span role="status">{state === 'saved' ? 'Saved.' : ''}</span>
      </p>
    </form>
  );
}
