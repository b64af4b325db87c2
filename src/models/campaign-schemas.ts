import * as z from 'zod/mini';
import type { Issue } from '../core/errors.ts';
import type { PageBody } from '../core/pager.ts';
import type {
  Campaign,
  CampaignCreateParams,
  CampaignListParams,
  CampaignPage,
  CampaignStats,
  CampaignStatsParams,
  CampaignSummary,
  CampaignTemplateSummary,
  CampaignUpdateParams,
} from './campaigns.ts';
import { day, idNumber, integer, issuesOf, textUpTo } from './check.ts';
