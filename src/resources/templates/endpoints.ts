import { byPageToken, decodersOf, nothing } from '../base/decoders.ts';
import { endpoint, endpointsOf } from '../base/endpoint.ts';
import type { NumberedPage } from '../base/numbered-page.ts';
import { listOf, pageRules } from '../base/param-rules.ts';
import { templateCreateRule, templateUpdateRule } from './rules.ts';
import type { Template } from './types.ts';

/** The results of these endpoints, by the names of their schemas. */
export interface TemplateResponses {
  template: Template;
  templateList: Template[];
  templatePage: NumberedPage<Template>;
}

const { list, result } = decodersOf<TemplateResponses>();

/** The endpoints of `client.templates`. */
export const templates = endpointsOf('templates', () => {
  const template = result('template');

  return {
    list: endpoint('GET {account}/email_templates', list('templateList')),
    create: endpoint('POST {account}/email_templates', template, {
      params: templateCreateRule(),
      wrapper: 'email_template',
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/email_templates/{id}', template),
    update: endpoint('PATCH {account}/email_templates/{id}', template, {
      params: templateUpdateRule(),
      wrapper: 'email_template',
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/email_templates/{id}', nothing),
  };
});

/** The endpoints of `client.templates.paginated`: the same templates, at newer paths. */
export const paginated = endpointsOf('templates.paginated', () => {
  const inData = result('template', { field: 'data' });
  const page = list('templatePage', { field: 'data', needs: { pagination: 'object' } }, byPageToken);

  return {
    list: endpoint('GET {account}/templates', page, { params: listOf(pageRules()) }),
    create: endpoint('POST {account}/templates', inData, {
      params: templateCreateRule(),
      reachesPeople: false,
    }),
    get: endpoint('GET {account}/templates/{id}', inData),
    update: endpoint('PATCH {account}/templates/{id}', inData, {
      params: templateUpdateRule(),
      repeatable: 'sets fields to the values given; the second time they have them already',
      reachesPeople: false,
    }),
    delete: endpoint('DELETE {account}/templates/{id}', nothing),
  };
});
