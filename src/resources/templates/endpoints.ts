import { decodersOf, nothing } from '../decoders.ts';
import { endpoint, endpointsOf } from '../endpoint.ts';
import { templateCreateRule, templateUpdateRule } from './rules.ts';
import type { Template } from './types.ts';

/** What these endpoints return, by the name of its schema. */
export interface TemplateResponses {
  template: Template;
  templateList: Template[];
}

const { list, result } = decodersOf<TemplateResponses>();

const template = result('template');

/** The endpoints of `client.templates`. */
export const templates = endpointsOf('templates', {
  list: endpoint('GET {account}/email_templates', list('templateList'), {
    source: 'specified in part, recorded',
  }),
  create: endpoint('POST {account}/email_templates', template, {
    source: 'specified in part, recorded',
    params: templateCreateRule,
    wrapper: 'email_template',
    reachesPeople: false,
  }),
  get: endpoint('GET {account}/email_templates/{id}', template, { source: 'referenced, recorded' }),
  update: endpoint('PATCH {account}/email_templates/{id}', template, {
    source: 'specified in part, recorded',
    params: templateUpdateRule,
    wrapper: 'email_template',
    repeatable: 'sets fields to the values given; the second time they have them already',
    reachesPeople: false,
  }),
  delete: endpoint('DELETE {account}/email_templates/{id}', nothing, {
    source: 'specified in part, recorded',
  }),
});
