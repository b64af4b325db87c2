/** Templates of the kinds that applications send, by name. */
export const KINDS: Readonly<Record<string, string>> = {
  welcome:
    '<h1>Welcome, {{name}}!</h1>\n<p>Your account at {{company.name}} is ready: <a href="{{loginUrl}}">sign in</a>.</p>',
  verification: '<p>{{code}} is your code. It is valid for {{minutes}} minutes.</p>{{! no link here }}',
  'password reset':
    '{{#if name}}Hello {{name}},{{else}}Hello,{{/if}}\n<a href="{{{resetUrl}}}">Choose a new password</a>',
  receipt: `<table>{{#each items}}
  <tr><td>{{sku}}</td><td>{{quantity}} × {{price}}</td>{{#if note}}<td>{{note}}</td>{{/if}}</tr>
{{/each}}</table>{{#if discount}}<p>You saved {{discount}}.</p>{{/if}}<b>{{total}} {{currency}}</b>`,
  invoice: `{{#with customer}}{{name}}{{#with address}}, {{street}}, {{city}}{{/with}}{{/with}}
{{#each lines as |line number|}}{{number}}. {{line.text}} {{line.amount}} {{../currency}}
{{else}}Nothing to pay.
{{/each}}`,
  shipping:
    '{{#unless isPickup}}It is sent to {{address}}.{{else}}Come and get it.{{/unless}} {{tracking.carrier}} {{tracking.number}}',
  invitation:
    '{{inviter.name}} invites you to {{team}}{{#if message}}: “{{message}}”{{/if}}. {{~#if expires~}} Until {{expires}}.{{/if}}',
  digest: `{{#each days}}<h2>{{date}}</h2>{{#each stories}}<a href="{{url}}">{{title}}</a> by {{author.name}} ({{../date}}, {{../../site}})
{{/each}}{{/each}}`,
  newsletter:
    '{{#each sections}}{{#if @first}}<hr>{{/if}}<h2>{{@index}} {{this.title}}</h2>{{{this.html}}}{{/each}}{{unsubscribe}}',
  reminder:
    '{{#if overdue}}{{#if days}}{{days}} days late{{/if}}{{else if soon}}due {{date}}{{else}}nothing due{{/if}}',
  alert: '[{{level}}] {{service}}: {{#each checks}}{{@key}}={{this}}{{#unless @last}}, {{/unless}}{{/each}}',
  survey:
    '{{#each questions}}<p>{{text}}</p>{{#each options}}<a href="{{../../url}}?a={{@index}}">{{this}}</a>{{/each}}{{/each}}',
  booking:
    '{{guest.first}} {{guest.last}}, {{#with room}}{{name}} ({{beds}}){{else}}no room yet{{/with}}, {{from}}–{{to}}',
  ticket:
    '#{{id}} {{subject}}\n{{#each replies}}{{#if isStaff}}{{agent}}{{else}}{{../customer}}{{/if}}: {{body}}\n{{/each}}',
  usage:
    '{{plan.name}}: {{used}} of {{plan.limit}}. {{#each top as |entry|}}{{entry.name}} {{entry.count}} {{/each}}',
  'price drop': '{{#each products}}{{name}} {{#if before}}<s>{{before}}</s>{{/if}} {{now}}{{/each}}',
  trial: '{{#if daysLeft}}{{daysLeft}} days left{{else}}Your trial has ended{{/if}}. {{owner.email}}',
  payout: '{{amount}} to {{account.iban}}{{#each fees}}, less {{amount}} {{kind}}{{/each}}',
  'sign-in notice':
    '{{device}} in {{#if city}}{{city}}, {{/if}}{{country}} at {{time}}. Not you? {{&secureUrl}}',
  calendar:
    '{{#each attendees}}{{this}}; {{/each}}{{event.title}} {{event.start}}{{#if event.place}} in {{event.place}}{{/if}}',
};
