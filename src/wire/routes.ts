// Longer than 400 lines because it has the types of everything that goes over HTTP.
// Made from the schemas of the routes by `npm run wire`: change those, never this file.

export type Health = {
  status: 'ok' | 'degraded';
  version: string;
  database: {
    engine: 'pglite' | 'postgres';
    ok: boolean;
    loss?: string;
    pooler?: string;
  };
  embedding: {
    model: string | null;
    state: 'loading' | 'ready' | 'unavailable';
    pending: boolean;
    reason?: string;
  };
  consolidation: {
    ok: boolean;
    lastRun: string | null;
  };
  workers: {
    failing: string[];
  };
};

export type Paired = {
  key: string;
  keyId: string;
  name: string;
};

export type Problem = {
  type: string;
  title: string;
  code: 'later-change' | 'ambiguous-id' | 'ambiguous-name' | 'amendment-not-found' | 'audit-not-found' | 'another-certificate' | 'bad-configuration' | 'bad-encoding' | 'bad-option' | 'bad-range' | 'bad-request' | 'bad-text' | 'body-too-large' | 'call-not-found' | 'cannot-be-deployed-yet' | 'cannot-be-allowed' | 'cannot-be-allowed-for-good' | 'cannot-change-the-settings' | 'cannot-merge-into-the-settings' | 'cannot-read-the-last-sync' | 'cannot-update' | 'file-unusable' | 'certificate-file-is-damaged' | 'changed-meanwhile' | 'channel-not-found' | 'circle-of-findings' | 'circle-of-steps' | 'data-folder-cannot-be-used' | 'data-folder-in-use' | 'database-cannot-be-opened' | 'database-cannot-be-read' | 'database-does-not-answer' | 'database-does-not-fit' | 'database-is-busy' | 'database-is-damaged' | 'database-is-locked' | 'database-migrated-by-supabase' | 'database-too-new' | 'database-is-not-empty' | 'database-too-old' | 'decision-not-found' | 'decision-not-in-force' | 'deployed-in-part' | 'episode-not-found' | 'events-wait' | 'fact-not-found' | 'file-has-changed' | 'finding-not-found' | 'guard-not-found' | 'internal-error' | 'item-not-found' | 'key-cannot-be-verified' | 'key-file-is-damaged' | 'key-is-not-a-persons' | 'key-is-not-the-owners' | 'key-is-revoked' | 'key-may-not-do-this' | 'key-not-found' | 'key-of-another-project' | 'later-changes' | 'lesson-has-ended' | 'learning-not-found' | 'endless-list' | 'malformed-json' | 'memory-has-changed' | 'name-is-taken' | 'name-too-similar' | 'no-backup-was-written' | 'no-database-to-restore-into' | 'no-embedding-model' | 'no-key' | 'no-server' | 'no-such-file' | 'no-such-folder' | 'no-such-setting' | 'no-such-version' | 'nobody-holds-the-step' | 'not-a-backup' | 'not-a-claude-mem-file' | 'not-a-folder-for-a-backup' | 'not-a-member' | 'not-a-person' | 'not-a-rule' | 'not-allowed' | 'not-authenticated' | 'not-confirmed' | 'not-enough-room' | 'not-found' | 'note-not-found' | 'nothing-there' | 'nothing-to-import' | 'nothing-to-move' | 'observation-not-found' | 'person-only' | 'outranked' | 'pairing-code-not-valid' | 'pattern-not-found' | 'plan-has-changed' | 'plan-has-ended' | 'plan-is-full' | 'plan-not-found' | 'port-not-available' | 'port-taken' | 'postgresql-cannot-be-used' | 'project-not-found' | 'project-not-named' | 'push-needs-a-paired-device' | 'rejected-pattern' | 'relation-not-found' | 'run-not-found' | 'search-not-found' | 'secret-file-is-damaged' | 'secret-of-another-server' | 'server-does-not-start' | 'server-does-not-stop' | 'service-cannot-be-used' | 'session-not-found' | 'sign-in-on-the-device' | 'skill-has-changed' | 'skill-is-ambiguous' | 'skill-not-found' | 'sql-error' | 'statement-refused' | 'step-has-ended' | 'step-is-held' | 'step-is-only-proposed' | 'step-not-found' | 'step-waits-for-others' | 'steps-are-open' | 'backup-is-damaged' | 'database-was-not-restored' | 'rule-unfit' | 'run-is-under-way' | 'token-cannot-be-verified' | 'too-many-wrong-keys' | 'two-places' | 'undone-before' | 'unknown-answer' | 'unknown-code' | 'unknown-host' | 'unsupported-media-type' | 'user-not-found' | 'wrong-usage';
  status: number;
  detail: string;
  requestId: string;
  errors?: {
    field: string;
    message: string;
  }[];
  current?: unknown;
};

export type HookOutput = {
  hookSpecificOutput?: {
    hookEventName: string;
    additionalContext?: string;
    updatedToolOutput?: Record<string, unknown>;
    permissionDecision?: 'allow' | 'deny' | 'ask';
    permissionDecisionReason?: string;
  };
  [other: string]: unknown;
};

export type HookEvent = {
  hook_event_name: string;
  session_id: string;
  transcript_path?: string | null;
  cwd?: string | null;
  prompt_id?: string | null;
  permission_mode?: string | null;
  agent_id?: string | null;
  agent_type?: string | null;
  source?: string | null;
  reason?: string | null;
  prompt?: string | null;
  tool_name?: string | null;
  tool_use_id?: string | null;
  tool_input?: Record<string, unknown> | null;
  tool_response?: unknown;
  error?: string | null;
  is_interrupt?: boolean | null;
  last_assistant_message?: string | null;
  background_tasks?: (unknown)[] | null;
  lore?: {
    root?: string | null;
    repo?: string | null;
    main?: string | null;
    branch?: string | null;
    deliveryId?: string | null;
    looks?: boolean | null;
    skills?: string[] | null;
    commits?: string[] | null;
    projectType?: string | null;
    tool?: string | null;
    shell?: 'cmd' | null;
    by?: string | null;
    whole?: string | null;
    [other: string]: unknown;
  } | null;
  [other: string]: unknown;
};

export type Unchecked = {
  where: string;
  why: string;
  remedy: string | null;
  at: string | null;
};

export type Stop = {
  decision: 'deny' | 'ask' | 'hold';
  lessonId: string;
  lesson: string;
} | null;

export type Journal = {
  state: 'idle' | 'gathering' | 'storing' | 'waiting-to-retry' | 'waiting-for-database' | 'draining' | 'stopped' | null;
  waiting: number;
  stuck: string | null;
  refused: {
    at: string;
    reason: string;
    event: string | null;
    session: string | null;
  }[];
  elsewhere: {
    file: string;
    entries: number;
  }[];
};

export type JournalRetried = Journal & {
  retried: number;
};

export type TranscriptRead = {
  offset: number;
  turn: {
    promptId: string | null;
    from: number | null;
  };
  recovered: number;
  since: string;
};

export type TranscriptPiece = {
  file: string;
  cwd: string;
  from: number;
  to: number;
  text: string;
  turn?: {
    promptId: string | null;
    from: number | null;
  } | null;
};

export type SearchResult = {
  id: string;
  kind: string;
  title: string;
  content: string;
  relevance: 'high' | 'medium' | 'low';
  score: number;
  similarity: number | null;
  confidence: number;
  ageDays: number;
  validFrom: string;
  validUntil: string | null;
  metadata: Record<string, unknown>;
};

export type SearchQuery = {
  query: string;
  project?: string;
  kinds?: string[];
  limit?: number;
  asOf?: string;
  minConfidence?: number;
  maxAgeDays?: number;
  excludeAgent?: string;
  onlyAgent?: string;
  channel?: string;
  channels?: string[];
  messageTypes?: ('reflection' | 'decision' | 'pattern' | 'policy')[];
  mentions?: string[];
  hasBreadcrumbs?: boolean;
  minWords?: number;
  tokenBudget?: number;
  minRelevance?: 'high' | 'medium' | 'low';
  superseded?: boolean;
  judge?: boolean;
  explain?: boolean;
};

export type SearchFeedback = {
  useful?: string[];
  notUseful?: string[];
};

export type IndexHealth = {
  sources: number;
  documents: number;
  embedded: number;
  pending: number;
  failing: number;
  missing: number;
  orphaned: number;
  rebuilding: boolean;
  model: string | null;
};

export type EmbeddingModel = {
  own: string | null;
  inUse: string | null;
  next: string | null;
  documents: number;
  embedded: number;
  prepared: number;
};

export type Amendment = {
  id: string;
  kind: string;
  project: string | null;
  newer: {
    id: string;
    content: string;
  };
  older: {
    id: string;
    content: string;
  };
  evidence: {
    words: string;
    similarity: number | null;
    model: string | null;
  };
  createdAt: string;
  undoneAt: string | null;
};

export type Learning = {
  id: string;
  project: string;
  status: 'trial' | 'active' | 'review';
  lesson: string;
  context: string;
  why: string | null;
  errorType: string | null;
  keywords: string[];
  appliesTo: string[];
  confidence: number;
  usageCount: number;
  successCount: number;
  failureCount: number;
  successRate: number | null;
  qualityScore: number;
  evaluatedBy: string;
  sourceSessionId: string | null;
  sourceSubagent: string | null;
  sourceIncidentId: string | null;
  sourceError: string | null;
  supersedes: string | null;
  validFrom: string;
  validUntil: string | null;
  lastConfirmedAt: string;
  createdAt: string;
  updatedAt: string;
  toldIn?: number;
  stale?: StaleCitations;
};

export type StaleCitations = {
  ref: string;
  state: 'changed' | 'gone';
  head: string | null;
}[];

export type WholeLearning = Learning & {
  versions: Learning[];
  missing: string | null;
  judgements: {
    event: string;
    decision: 'stored' | 'review' | 'discarded' | 'merged' | 'superseded' | 'promoted' | 'demoted' | null;
    reason: string | null;
    score: number | null;
    evaluator: string | null;
    evidence: Record<string, unknown> | null;
    finishedAt: string | null;
  }[];
  injections: Injection[];
  inSessions: {
    told: number;
    helped: number;
    failed: number;
  };
};

export type Injection = {
  session: string | null;
  sessionId: string;
  event: string;
  relevance: 'high' | 'medium' | null;
  injectedAt: string;
  outcome: 'helped' | 'failed' | 'unused' | 'unknown' | null;
};

export type Judgement = {
  event: string;
  decision: 'stored' | 'review' | 'discarded' | 'merged' | 'superseded' | 'promoted' | 'demoted' | null;
  reason: string | null;
  score: number | null;
  evaluator: string | null;
  evidence: Record<string, unknown> | null;
  finishedAt: string | null;
  id: string;
  project: string;
  status: 'pending' | 'done' | 'failed';
  candidate: {
    lesson: string;
    context: string;
    keywords: string[];
    appliesTo: string[];
    confidence: number;
  } | null;
  incidentId: string | null;
  learningId: string | null;
  attempts: number;
  error: string | null;
  createdAt: string;
};

export type Admitted = {
  decision: 'stored' | 'review' | 'discarded' | 'merged' | 'superseded' | 'promoted' | 'demoted';
  reason: string;
  score: number;
  missing: string | null;
  learning: Learning | null;
};

export type NewLearning = {
  project: string;
  lesson: string;
  context?: string;
  why?: string;
  keywords?: string[];
  appliesTo?: string[];
  confidence?: number;
  agent?: string;
};

export type LearningChange = {
  lesson?: string;
  context?: string;
  why?: string | null;
  keywords?: string[];
  appliesTo?: string[];
};

export type Proposed = {
  id: string | null;
  state: string;
  reason: string;
};

export type Proposal = {
  kind: 'lesson' | 'fact' | 'decision';
  project: string;
  agent: string;
  session?: string;
  text?: string;
  when?: string;
  why?: string;
  appliesTo?: string[];
  error?: string;
  type?: string;
  key?: string;
  value?: unknown;
};

export type RuleProposal = {
  words: string;
  means?: string;
  about?: Record<string, unknown>[];
  unless?: {
    program: string;
    args?: string[];
  };
  then: 'tell' | 'ask';
  breaks?: (string | {
    tool: string;
    input: Record<string, unknown>;
    branch?: string;
  })[];
  keeps?: (string | {
    tool: string;
    input: Record<string, unknown>;
    branch?: string;
  })[];
  project: string;
  agent: string;
  session: string;
};

export type WaitingAudits = {
  waiting: number;
  next: {
    id: string;
    instructions: string;
    record: Record<string, unknown>;
  } | null;
};

export type AuditAnswer = {
  verdict: 'success' | 'partial' | 'failed';
  learnings: {
    lesson: string;
    context: string;
    confidence: number;
    appliesTo: string[];
    keywords?: string[];
    error?: number | null;
    lasting?: 'lasting' | 'local' | 'doubtful';
  }[];
  errorsFound: {
    type: string;
    description: string;
    cause?: string | null;
    resolution?: string | null;
    preventable?: boolean | null;
  }[];
  recommendedNextSteps: string[];
  agent: string;
};

export type Guard = {
  id: string;
  project: string;
  lessonId: string;
  lesson: string;
  inForce: boolean;
  about: string;
  rule: GuardRule;
  source: 'literal' | 'agent' | 'model' | 'person';
  state: 'on' | 'paused' | 'refused';
  reason: string | null;
  pastCalls: number;
  pastHits: number;
  hits: number;
  lastHitAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type GuardRule = {
  when: ({
    kind: 'command';
    program: string;
    args?: string[];
    without?: string[];
    bare?: boolean;
  } | {
    kind: 'path';
    globs: string[];
    except?: string[];
    reads?: boolean;
    created?: boolean;
    deed?: 'delete' | 'rename' | 'commit';
  } | {
    kind: 'content';
    pattern: string;
    globs?: string[];
  } | {
    kind: 'mcp';
    tool: string;
    field?: string;
    pattern?: string;
  })[];
  branch?: string;
  environment?: string;
  unless?: {
    program: string;
    args?: string[];
  };
  then: 'tell' | 'ask' | 'deny';
  breaks: {
    tool: string;
    input: Record<string, unknown>;
    branch?: string;
  }[];
  keeps: {
    tool: string;
    input: Record<string, unknown>;
    branch?: string;
  }[];
};

export type GuardChange = {
  rule?: GuardRule;
  state?: 'on' | 'paused';
};

export type Incident = {
  id: string;
  project: string;
  sessionId: string | null;
  agentId: string | null;
  toolName: string;
  target: string | null;
  error: string;
  errorType: string | null;
  signature: string;
  status: 'open' | 'resolved' | 'unresolved';
  resolution: {
    kind: 'same' | 'wrapped' | 'arguments' | 'part' | 'program' | 'tool' | 'sibling';
    toolUseId: string | null;
    command: string | null;
    edits: {
      file: string;
      before: string | null;
      after: string | null;
    }[];
    commands: string[];
    attempts: string[];
    said: string | null;
    lastMessage: string | null;
    sessionId: string | null;
  } | null;
  tried: {
    steps: string[];
    end: string;
  } | null;
  openedAt: string;
  resolvedAt: string | null;
};

export type Note = {
  id: string;
  project: string | null;
  channel: string;
  sender: string | null;
  senderProject: string | null;
  writtenBy: 'person' | 'agent' | null;
  content: string;
  confidence: number;
  mentions: string[];
  messageType: 'reflection' | 'decision' | 'pattern' | 'policy';
  conversation: string | null;
  key: string | null;
  supersedes: string | null;
  metadata: Record<string, unknown>;
  createdAt: string;
  validUntil: string | null;
  wordCount: number;
  hasBreadcrumbs: boolean;
  ageDays: number;
  stale: StaleCitations;
};

export type StoredNotes = {
  notes: {
    id: string;
    key: string | null;
    created: boolean;
  }[];
};

export type NewNote = {
  project?: string;
  channel?: string;
  agent?: string;
  senderProject?: string;
  content: string;
  confidence?: number;
  createdAt?: string;
  messageType?: 'reflection' | 'decision' | 'pattern' | 'policy';
  conversation?: string;
  mentions?: string[];
  key?: string;
  supersedes?: string;
  metadata?: NoteMetadata;
};

export type NoteMetadata = {
  breadcrumbs?: {
    modified_files?: string[];
    created_files?: string[];
    deleted_files?: string[];
    commits?: string[];
    pull_requests?: string[];
    issues?: string[];
    tests?: string[];
    documentation?: string[];
    config_files?: string[];
    logs?: string[];
    external_refs?: string[];
    [other: string]: unknown;
  };
  task_context?: {
    type?: string;
    complexity?: string | number;
    duration_minutes?: number;
    test_results?: string | Record<string, unknown>;
    blockers_encountered?: string | string[];
    [other: string]: unknown;
  };
  extraction_hints?: {
    key_decision?: string;
    pattern_identified?: string;
    policy_discovered?: string;
    [other: string]: unknown;
  };
  [other: string]: unknown;
};

export type Channel = {
  name: string;
  type: 'agent' | 'standard' | 'other';
  owner: string | null;
  description: string | null;
  notes: number;
  createdAt: string;
  lastActivity: string | null;
  agents: string[];
};

export type Agent = {
  name: string;
  description: string | null;
  projects: string[];
  notes: number;
  createdAt: string;
  lastActive: string;
};

export type Finding = {
  id: string;
  project: string;
  title: string;
  detail: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info';
  status: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate';
  resolution: string | null;
  file: string | null;
  line: number | null;
  agent: string | null;
  writtenBy: 'person' | 'agent' | null;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  proposedStatus: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate' | null;
  proposedBy: string | null;
  solvedBy: string | null;
  resembles: {
    id: string;
    title: string;
    resolution: string | null;
    file: string | null;
    episode: {
      id: string;
      line: string;
    } | null;
  } | null;
  blocks: {
    id: string;
    title: string;
    status: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate';
  }[];
  blockedBy: {
    id: string;
    title: string;
    status: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate';
  }[];
  relatedTo: {
    id: string;
    title: string;
    status: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate';
  }[];
};

export type NewFinding = {
  project: string;
  title: string;
  detail?: string;
  severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
  status?: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate';
  resolution?: string | null;
  file?: string | null;
  line?: number | null;
  agent?: string;
  blocks?: string[];
  blockedBy?: string[];
  relatedTo?: string[];
};

export type FindingChange = {
  title?: string;
  detail?: string;
  severity?: 'critical' | 'high' | 'medium' | 'low' | 'info';
  status?: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate';
  resolution?: string | null;
  file?: string | null;
  line?: number | null;
  proposedStatus?: null;
};

export type EpisodePrivacy = {
  project: string;
  private: boolean;
};

export type ListedEpisode = {
  id: string;
  project: string;
  session: string | null;
  parentId: string | null;
  agentId: string | null;
  agentType: string | null;
  description: string;
  type: 'feature' | 'bugfix' | 'refactor' | 'investigation' | 'question';
  complexity: 'low' | 'medium' | 'high';
  branch: string | null;
  workItems: string[];
  toolsUsed: Record<string, number>;
  filesModified: string[];
  outcome: 'success' | 'error' | 'stopped' | 'unknown';
  testsPassed: boolean | null;
  buildPassed: boolean | null;
  error: string | null;
  lastMessage: string | null;
  startedAt: string;
  endedAt: string | null;
  durationMs: number | null;
  tokens: number | null;
  findings: string[];
  learnings: string[];
  planId: string | null;
  private: boolean;
};

export type Episode = ListedEpisode & {
  steps: {
    thought: string | null;
    action: string;
    tool: string;
    targetKind: string | null;
    ok: boolean | null;
    stopped?: true;
  }[];
};

export type EpisodeChange = {
  description?: string;
  type?: 'feature' | 'bugfix' | 'refactor' | 'investigation' | 'question';
  private?: boolean;
};

export type Plan = {
  id: string;
  project: string;
  goal: string;
  status: 'planning' | 'in_progress' | 'completed' | 'failed' | 'stopped';
  projectType: string | null;
  constraints: string[];
  learnings: string[];
  agentTemplate: string;
  draftedBy: string;
  sessionId: string | null;
  version: number;
  currentStep: number | null;
  activeAgents: string[];
  blocked: {
    step: number;
    why: string;
  }[];
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  steps: PlanStep[];
};

export type PlanStep = {
  number: number;
  description: string;
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'stopped';
  proposed: boolean;
  dependencies: number[];
  assignedTo: string | null;
  agentId: string | null;
  leaseUntil: string | null;
  attempts: number;
  waitingFor: string | null;
  outcome: string | null;
  report: {
    verdict: 'success' | 'partial' | 'failed' | null;
    errorsFound: {
      type: string;
      description: string;
      resolution: string;
      incidentId: string | null;
    }[];
    nextSteps: string[];
    unfit: {
      text: string;
      reason: string;
    }[];
  } | null;
  startedAt: string | null;
  endedAt: string | null;
  blocked: string | null;
  notes: {
    at: string;
    agent: string | null;
    writtenBy: 'person' | 'agent' | null;
    text: string;
  }[];
};

export type NewPlan = {
  project: string;
  goal: string;
  constraints?: string[];
  projectType?: string | null;
  learnings?: string[];
  agentTemplate?: string;
  agent?: string;
  steps?: {
    description: string;
    dependencies?: number[];
    proposed?: boolean;
  }[];
};

export type PlanSummary = {
  id: string;
  project: string;
  goal: string;
  status: 'planning' | 'in_progress' | 'completed' | 'failed' | 'stopped';
  version: number;
  draftedBy: string;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  steps: number;
  completed: number;
  inProgress: number;
  failed: number;
  stopped: number;
  proposed: number;
  waiting: number;
};

export type PlanStepHistory = {
  version: number;
  at: string;
  step: number;
  action: string;
  actor: string | null;
  text: string | null;
};

export type PlanChange = {
  goal?: string;
  status?: 'planning' | 'in_progress' | 'completed' | 'failed' | 'stopped';
  constraints?: string[];
  projectType?: string | null;
  learnings?: string[];
  agentTemplate?: string;
  agent?: string;
  version?: number;
};

export type PlanStepChange = {
  description?: string;
  dependencies?: number[];
  waitingFor?: string | null;
  proposed?: false;
  agent?: string;
  version?: number;
};

export type ActedStep = {
  plan: {
    id: string;
    version: number;
    status: string;
  };
  step: PlanStep;
};

export type Citation = {
  kind: 'note' | 'learning';
  id: string;
  ref: string;
  state: 'waiting' | 'fresh' | 'changed' | 'gone' | 'unknown';
};

export type FreshnessReport = {
  head?: string | null;
  looked: {
    kind: 'note' | 'learning';
    id: string;
    ref: string;
    state: 'there' | 'gone' | 'unknown';
    size?: number | null;
    hash?: string | null;
  }[];
};

export type Fact = {
  type: string;
  key: string;
  value?: unknown;
  id: string;
  project: string | null;
  tier: 'person' | 'observed' | 'agent' | 'inferred';
  evidence: string | null;
  sessionId: string | null;
  agent: string | null;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  openedBy: 'put' | 'end' | 'undo' | 'amendment';
  closedBy: 'put' | 'end' | 'undo' | 'amendment' | null;
  confirmedAt: string;
  confirmations: number;
  source: string | null;
};

export type NewFact = {
  type: string;
  key: string;
  value: unknown;
  project?: string;
  validFrom?: string;
  validUntil?: string;
  tier?: 'person' | 'observed' | 'agent' | 'inferred';
  evidence?: string;
  session?: string;
  agent?: string;
  source?: string;
};

export type FactToEnd = {
  type: string;
  key: string;
  project?: string;
  at?: string;
  tier?: 'person' | 'observed' | 'agent' | 'inferred';
};

export type FactToUndo = {
  type: string;
  key: string;
  project?: string;
  id?: string;
};

export type Relation = {
  from: {
    type: string;
    key: string;
  };
  relation: string;
  to: {
    type: string;
    key: string;
  };
  attributes: Record<string, unknown>;
  id: string;
  project: string | null;
  tier: 'person' | 'observed' | 'agent' | 'inferred';
  evidence: string | null;
  sessionId: string | null;
  agent: string | null;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  openedBy: 'put' | 'end' | 'undo' | 'amendment';
  closedBy: 'put' | 'end' | 'undo' | 'amendment' | null;
  confirmedAt: string;
  confirmations: number;
  source: string | null;
};

export type NewRelation = {
  from: Entity;
  relation: string;
  to: Entity;
  attributes?: Record<string, unknown>;
  project?: string;
  validFrom?: string;
  validUntil?: string;
  tier?: 'person' | 'observed' | 'agent' | 'inferred';
  evidence?: string;
  session?: string;
  agent?: string;
  source?: string;
};

export type Entity = {
  type: string;
  key: string;
};

export type RelationToEnd = {
  from: Entity;
  relation: string;
  to: Entity;
  project?: string;
  at?: string;
  tier?: 'person' | 'observed' | 'agent' | 'inferred';
};

export type RelationToUndo = {
  from: Entity;
  relation: string;
  to: Entity;
  project?: string;
  id?: string;
};

export type Decision = {
  condition: string;
  action: string;
  confidence: number;
  learnedFrom: string | null;
  id: string;
  project: string | null;
  tier: 'person' | 'observed' | 'agent' | 'inferred';
  evidence: string | null;
  sessionId: string | null;
  agent: string | null;
  validFrom: string;
  validUntil: string | null;
  recordedAt: string;
  recordedUntil: string | null;
  openedBy: 'put' | 'end' | 'undo' | 'amendment';
  closedBy: 'put' | 'end' | 'undo' | 'amendment' | null;
  confirmedAt: string;
  confirmations: number;
};

export type NewDecision = {
  condition: string;
  action: string;
  confidence?: number;
  learnedFrom?: string;
  supersedes?: string;
  project?: string;
  validFrom?: string;
  validUntil?: string;
  tier?: 'person' | 'observed' | 'agent' | 'inferred';
  evidence?: string;
  session?: string;
  agent?: string;
};

export type DecisionToEnd = {
  at?: string;
  tier?: 'person' | 'observed' | 'agent' | 'inferred';
};

export type ListedObservation = ObservationSource & {
  id: string;
  characters: number;
  lines: number;
  whole: boolean;
};

export type ObservationSource = {
  project: string;
  session: string;
  event: string;
  agentId: string | null;
  tool: string;
  about: string;
  masked: boolean;
  at: string;
};

export type Observation = {
  id: string;
  characters: number;
  lines: number;
  whole: boolean;
  createdAt: string;
  sources: ObservationSource[];
  content: {
    number: number;
    text: string;
    match: boolean;
  }[];
  matches: number | null;
  next: number | null;
  searched: boolean;
};

export type ListedSkill = {
  id: string;
  name: string;
  project: string | null;
  description: string;
  category: string | null;
  evaluatedBy: string;
  sourceSubagent: string | null;
  validFrom: string;
  validUntil: string | null;
  sourceSessionId: string | null;
  tokens: number;
  memoryVersion: number;
  runs: number;
  successRate: number | null;
  lastRun: string | null;
};

export type Skill = {
  id: string;
  name: string;
  project: string | null;
  description: string;
  category: string | null;
  evaluatedBy: string;
  sourceSubagent: string | null;
  validFrom: string;
  validUntil: string | null;
  runs: number;
  successRate: number | null;
  lastRun: string | null;
  sourceSessionId: string | null;
  config: Record<string, unknown>;
  frontMatter: string;
  content: string;
  memoryPlace: {
    at: number;
    before: string;
    after: string;
  } | null;
  memory: SkillMemory;
  files: {
    path: string;
    text: string | null;
    executable: boolean;
  }[];
};

export type SkillMemory = {
  version: number;
  text: string;
  tokens: number;
  compacted: boolean;
  evaluatedBy: string | null;
  sourceSubagent: string | null;
  validFrom: string | null;
  validUntil: string | null;
};

export type NewSkill = {
  project?: string;
  file?: string;
  description?: string;
  category?: string | null;
  config?: Record<string, unknown>;
  content?: string;
  files?: {
    path: string;
    text: string;
    executable?: boolean;
  }[];
  base?: string | null;
  memoryBase?: number;
};

export type ActivatedSkill = {
  name: string;
  description: string;
  content: string;
  memory: string;
  run: string;
};

export type SkillHistory = {
  versions: {
    id: string;
    name: string;
    project: string | null;
    description: string;
    category: string | null;
    evaluatedBy: string;
    sourceSubagent: string | null;
    validFrom: string;
    validUntil: string | null;
    tokens: number;
  }[];
  memory: {
    version: number;
    tokens: number;
    compacted: boolean;
    evaluatedBy: string | null;
    validFrom: string | null;
    validUntil: string | null;
    added: string | null;
  }[];
};

export type NewSkillLog = {
  skill: string;
  action: string;
  result: 'started' | 'succeeded' | 'failed';
  durationMs?: number;
  observationRef?: string;
  project?: string;
  session?: string;
  agent?: string;
  run?: string;
};

export type SkillLog = {
  id: string;
  run: string;
  skill: string;
  action: string;
  result: 'started' | 'succeeded' | 'failed';
  durationMs: number | null;
  observationRef: string | null;
  project: string | null;
  session: string | null;
  agentId: string | null;
  at: string;
};

export type Pattern = {
  id: string;
  project: string | null;
  type: 'task_template' | 'tool_sequence' | 'error_recovery' | 'refactor' | 'skill';
  name: string;
  namedBy: 'rules' | 'model' | 'person';
  triggers: string[];
  template: {
    steps: string[];
    commonFiles: string[];
    typicalTools: string[];
    contiguous?: boolean;
  };
  usageCount: number;
  sessions: number;
  successes: number;
  failures: number;
  successRate: number | null;
  rateLow: number | null;
  rateHigh: number | null;
  lift: number | null;
  confidence: number;
  offered: number;
  followed: number;
  helped: number;
  failed: number;
  pinned: boolean;
  private: boolean;
  status: 'active' | 'rejected';
  lastUsed: string;
  validFrom: string;
  validUntil: string | null;
  createdAt: string;
  updatedAt: string;
};

export type PatternChange = {
  name?: string;
  pinned?: boolean;
  private?: boolean;
  status?: 'active' | 'rejected';
};

export type Exported = {
  records: Record<string, unknown>[];
  next: string | null;
};

export type Imported = {
  imported: number;
  skipped: number;
  failed: {
    line: number;
    reason: string;
  }[];
};

export type RecordsToImport = {
  records: Record<string, unknown>[];
};

export type ListedSession = Session & {
  learningsApplied: number;
  learningsCreated: number;
  callsStopped: number;
};

export type Session = {
  id: string;
  clientSessionId: string;
  project: string;
  status: 'active' | 'completed' | 'failed' | 'stopped';
  shortTitle: string | null;
  taskType: 'quick' | 'focused' | 'complex' | null;
  complexity: 'low' | 'medium' | 'high' | null;
  mode: 'quick' | 'planned';
  planId: string | null;
  waitingFor: string | null;
  taskDescription: string | null;
  outcome: string | null;
  summary: string | null;
  cwd: string | null;
  branch: string | null;
  errorsEncountered: number;
  filesModified: string[];
  toolsUsed: Record<string, number>;
  tokens: number | null;
  model: string | null;
  startedAt: string;
  lastActivity: string;
  endedAt: string | null;
};

export type HookedCall = {
  session: string;
  project: string;
  agentId: string | null;
  agentType: string | null;
};

export type WholeSession = Session & {
  learningsApplied: number;
  learningsCreated: number;
  callsStopped: number;
  lessonsTold: string[];
  lessonsMade: {
    id: string;
    lesson: string;
    status: 'trial' | 'active' | 'review';
    validUntil: string | null;
  }[];
  stopped: StoppedCall[];
  turns: Turn[];
  events: Event[];
  episodes: {
    id: string;
    parentId: string | null;
    line: string;
  }[];
  audit: Audit | null;
};

export type StoppedCall = {
  code: string;
  tool: string | null;
  command: string;
  decision: 'deny' | 'hold';
  source: 'policy' | 'model' | 'person' | 'shape' | 'none' | 'guard' | 'lesson';
  rule: string | null;
  lessonId: string | null;
  reason: string;
  checkedAt: string;
};

export type Turn = {
  id: string;
  prompt: string;
  answer: string | null;
  startedAt: string;
  endedAt: string | null;
};

export type Event = {
  id: number;
  event: string;
  source: 'hook' | 'transcript';
  agentId: string | null;
  toolName: string | null;
  toolUseId: string | null;
  target: string | null;
  occurredAt: string;
};

export type Audit = {
  status: 'pending' | 'waiting' | 'done' | 'failed';
  verdict: 'success' | 'partial' | 'failed' | null;
  errorsFound: {
    type: string;
    description: string;
    cause: string | null;
    resolution: string | null;
    preventable: boolean | null;
  }[];
  recommendedNextSteps: string[];
  evaluatedBy: string | null;
  tokens: number;
  reason: string | null;
  finishedAt: string | null;
};

export type Offered = {
  event: string;
  kind: 'rule' | 'working-state' | 'step' | 'note' | 'decision' | 'lesson' | 'error' | 'skill' | 'finding' | 'episode' | 'pattern' | 'hand-off' | 'ask';
  sourceId: string | null;
  text: string;
  tokens: number;
  offeredAt: string;
  outcome: 'helped' | 'failed' | 'unused' | 'unknown' | null;
};

export type Project = {
  name: string;
  also: string[];
  sameBeginning: string[];
  roots: string[];
  createdAt: string;
  lastActivity: string;
};

export type JoinedProjects = {
  from: string;
  into: string;
  moved: Record<string, number>;
  stayed: Record<string, number>;
};

export type CheckedCommand = {
  decision: 'allow' | 'deny' | 'ask';
  safe: boolean;
  reason: string;
  rule?: string;
  source: 'policy' | 'model' | 'person' | 'shape' | 'none';
  cached: boolean;
  outward?: string;
  code?: string;
  problems?: string[];
};

export type Command = {
  command: string;
  cwd: string;
  root?: string;
};

export type ShownCheck = {
  code: string;
  tool: string | null;
  command: string;
  whole: boolean;
  cwd: string;
  project: string | null;
  decision: 'allow' | 'deny' | 'ask' | 'hold';
  source: 'policy' | 'model' | 'person' | 'shape' | 'none' | 'guard' | 'lesson';
  rule: string | null;
  lessonId: string | null;
  severity: string | null;
  reason: string;
  choices: ('once' | 'always' | 'keep')[];
  judged: 'right' | 'wrong' | null;
  checkedAt: string;
};

export type HoldJudgement = {
  judged: 'right' | 'wrong' | null;
};

export type Overruling = {
  code: string;
  decision: 'allow' | 'deny';
  once?: boolean;
};

export type ShownRule = {
  id: string;
  severity: 'catastrophic' | 'high' | 'medium';
  decision: 'deny';
  reason: string;
  instead: string;
  overrulable: boolean;
  source: string;
};

export type ShownVerdict = {
  code: string;
  command: string;
  cwd: string;
  decision: 'allow' | 'deny';
  reason: string;
  checkedBy: 'model' | 'person' | 'shape';
  once: boolean;
  hitCount: number;
  checkedAt: string;
  expiresAt: string | null;
};

export type ConsolidationRun = {
  id: string;
  startedBy: 'timer' | 'cron' | 'person';
  stage: string;
  startedAt: string;
  finishedAt: string | null;
  error: string | null;
  keepFrom: string | null;
  counts: Record<string, number>;
};

export type ConsolidationReport = ConsolidationRun & {
  items: {
    id: string;
    action: 'merged' | 'superseded' | 'closed';
    kind: string;
    recordId: string;
    keptId: string | null;
    text: string | null;
    reason: string;
    undoneAt: string | null;
  }[];
};

export type ConsolidationPlan = {
  planned: {
    action: 'merged' | 'superseded' | 'closed';
    kind: string;
    recordId: string;
    keptId: string | null;
    reason: string;
  }[];
  old: {
    events: number;
    checks: number;
  };
};

export type Metrics = {
  commands: {
    checks: number;
    allowed: number;
    held: number;
    heldRight: number;
    heldWrong: number;
    denied: number;
    unverified: number;
    safetyRate: number | null;
    overrides: number;
    byRule: Record<string, number>;
    bySource: Record<string, number>;
    latencyMs: {
      p50: number | null;
      p95: number | null;
    };
  };
  observations: {
    kept: number;
    characters: number;
    bytes: number;
    cited: number;
    masked: number;
  };
  compaction: {
    compactions: number;
    measured: number;
    tokensBefore: number;
    tokensAfter: number;
    saved: number | null;
    itemsSaved: number;
    itemsRestored: number;
    restored: number | null;
    warnings: number;
  };
  index: {
    sources: number;
    documents: number;
    embedded: number;
    pending: number;
    failing: number;
    missing: number;
    orphaned: number;
  };
  indexSize: {
    texts: number;
    contentBytes: number;
    indexBytes: number;
    ratio: number | null;
  };
  filters: {
    searches: number;
    inScope: number;
    leftOut: number;
    share: number | null;
  };
  told: {
    sessions: number;
    tokens: number;
    median: number | null;
  };
  evals: {
    name: string;
    value: number;
    n: number;
    command: string;
    measuredOn: string;
  }[];
  freshness: {
    links: number;
    changed: number;
    dead: number;
    unknown: number;
    validRate: number | null;
  };
  days: number;
  measures: {
    name: string;
    n: number;
    value: number | null;
    interval: {
      low: number;
      high: number;
    } | null;
    target: {
      min: number | null;
      max: number | null;
    } | null;
    met: boolean | null;
    sentence: string;
  }[];
  byDay: {
    day: string;
    sessions: number;
    repeating: number;
    errors: number;
    repeatedErrors: number;
    checks: number;
    checkMs: {
      p50: number | null;
      p95: number | null;
    };
  }[];
  comparison: {
    holdout: number;
    sessions: {
      memory: number;
      withheld: number;
      needed: number;
    };
    enough: boolean;
    sentence: string;
    answer: 'yes' | 'no' | 'chance' | 'few' | 'none';
    periods: {
      now: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      before: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      sentence: string;
    };
    repeatedErrors: {
      memory: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      withheld: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      change: {
        low: number;
        high: number;
        value: number;
      } | null;
      sentence: string;
      control: {
        n: [number, number];
        change: {
          low: number;
          high: number;
          value: number;
        } | null;
        sentence: string;
      };
    };
    commandsToSuccess: {
      memory: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      withheld: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      change: {
        low: number;
        high: number;
        value: number;
      } | null;
      sentence: string;
      control: {
        n: [number, number];
        change: {
          low: number;
          high: number;
          value: number;
        } | null;
        sentence: string;
      };
    };
    duration: {
      memory: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      withheld: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      change: {
        low: number;
        high: number;
        value: number;
      } | null;
      sentence: string;
      control: {
        n: [number, number];
        change: {
          low: number;
          high: number;
          value: number;
        } | null;
        sentence: string;
      };
    };
    tokens: {
      memory: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      withheld: {
        low?: number;
        high?: number;
        n: number;
        value: number | null;
      };
      change: {
        low: number;
        high: number;
        value: number;
      } | null;
      sentence: string;
      control: {
        n: [number, number];
        change: {
          low: number;
          high: number;
          value: number;
        } | null;
        sentence: string;
      };
    };
  };
  llm: {
    configured: boolean;
    provider: string;
    model: string | null;
    state: string;
    dailyTokens: number;
    usedToday: number;
    leftToday: number;
    dailyCalls: number;
    callsToday: number;
    days: {
      day: string;
      purpose: string;
      model: string;
      requests: number;
      failures: number;
      inputTokens: number;
      outputTokens: number;
    }[];
  };
};

export type Model = {
  provider: 'claude' | 'gemini' | 'openai' | 'none';
  model: string | null;
  state: 'ready' | 'none' | 'off' | 'budget' | 'no binary' | 'no login' | 'limited' | 'busy' | 'session' | 'unknown model' | 'refused' | 'late' | 'form' | 'failed';
  detail: string | null;
  advice: string | null;
  claudeOffered: boolean;
  dailyTokens: number;
  tokensToday: number;
  dailyCalls: number;
  callsToday: number;
};

export type Me = {
  userId: string;
  name: string;
  role: 'owner' | 'member';
  keyId: string | null;
  scope: 'hooks' | 'person' | 'device';
  project: string | null;
};

export type Token = {
  token: string;
  expiresAt: string;
  apiKey: string;
  url: string | null;
};

export type Claimed = {
  userId: string;
  authId: string | null;
  closed: string | null;
};

export type Key = {
  id: string;
  name: string;
  scope: 'hooks' | 'person' | 'device';
  project: string | null;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

export type NewKey = Key & {
  key: string;
};

export type User = {
  userId: string;
  name: string;
  role: 'owner' | 'member';
  createdAt: string;
  removedAt: string | null;
  authId: string | null;
  keys: Key[];
};

export type NewMember = {
  userId: string;
  name: string;
  key: string;
};

export type Pairing = {
  code: string;
  expiresAt: string;
  url: string;
};

export type Push = {
  publicKey: string;
  endpoint: string | null;
};

export type PushSubscription = {
  endpoint: string;
  keys: {
    p256dh: string;
    auth: string;
  };
};

export type Settings = {
  modelSpending: 'on' | 'off';
  claudeLogin: 'on' | 'off';
  shapes: 'on' | 'off';
  permissions: 'allow' | 'deny-only' | 'judge-only';
  projectPermissions: Record<string, 'allow' | 'deny-only' | 'judge-only'>;
  voice: {
    lesson?: 'all' | 'few' | 'none';
    plan?: 'all' | 'few' | 'none';
    episode?: 'all' | 'few' | 'none';
    finding?: 'all' | 'few' | 'none';
    pattern?: 'all' | 'few' | 'none';
    skill?: 'all' | 'few' | 'none';
    decision?: 'all' | 'few' | 'none';
    'hand-off'?: 'all' | 'few' | 'none';
    note?: 'all' | 'few' | 'none';
    ask?: 'all' | 'few' | 'none';
  };
};

export type SettingsChange = {
  modelSpending?: 'on' | 'off';
  claudeLogin?: 'on' | 'off';
  shapes?: 'on' | 'off';
  permissions?: 'allow' | 'deny-only' | 'judge-only';
  projectPermissions?: Record<string, 'allow' | 'deny-only' | 'judge-only' | null>;
  voice?: {
    lesson?: 'all' | 'few' | 'none';
    plan?: 'all' | 'few' | 'none';
    episode?: 'all' | 'few' | 'none';
    finding?: 'all' | 'few' | 'none';
    pattern?: 'all' | 'few' | 'none';
    skill?: 'all' | 'few' | 'none';
    decision?: 'all' | 'few' | 'none';
    'hand-off'?: 'all' | 'few' | 'none';
    note?: 'all' | 'few' | 'none';
    ask?: 'all' | 'few' | 'none';
  };
};

export type Erased = {
  dryRun: boolean;
  erased: Record<string, number>;
};

export type ToErase = {
  session?: string;
  project?: string;
  before?: string;
  keepLearned?: boolean;
  dryRun?: boolean;
};

export type RemovedUser = {
  userId: string;
  name: string;
  erased: Record<string, number> | null;
};

export type SqlResult = {
  columns: string[];
  rows: Record<string, unknown>[];
  affected: number | null;
  cut: string | null;
};

export type SqlQuery = {
  query: string;
  write?: boolean;
};

export type DeadLetter = {
  queue: string;
  id: string;
  about: string;
  reason: string;
  attempts: number;
};

export type Worker = {
  name: string;
  state: 'idle' | 'running' | 'failing';
  lastRun: string | null;
  tookMs: number | null;
  failingSince: string | null;
  error: string | null;
};

export type Backup = {
  folder: string;
  version: string;
  at: string;
  engine: 'pglite' | 'postgres';
  rows: Record<string, number> | null;
};

export type Dashboard = {
  now: string;
  today: {
    sessions: number;
    learnings: number;
    commands: number;
    errors: number;
    allowed: number;
    denied: number;
    held: number;
    unverified: number;
    stopped: number;
    told: number;
    toldSessions: number;
    helped: number;
    failed: number;
    safetyRate: number | null;
  };
  projects: {
    id: string;
    name: string;
    status: 'active' | 'idle' | 'blocked';
    reason: string | null;
    lastActivity: string;
    lastTitle: string | null;
    activeSessions: number;
    today: {
      sessions: number;
      learnings: number;
      commands: number;
      errors: number;
      denied: number;
    };
    task: {
      planId: string;
      goal: string;
      done: number;
      total: number;
      step: {
        number: number;
        description: string;
      } | null;
      agent: string | null;
      model: string | null;
    } | null;
  }[];
  waiting: {
    kind: 'command' | 'step' | 'client';
    id: string;
    project: string;
    title: string;
    detail: string;
    at: string;
    choices: ('once' | 'always' | 'keep')[];
    catastrophic: boolean;
    rule: string | null;
    tool: string | null;
    held: boolean;
    cwd: string | null;
  }[];
  working: {
    projectId: string;
    project: string;
    sessionId: string | null;
    title: string | null;
    agent: string | null;
    model: string | null;
    waitingFor: string | null;
    heardAt: string;
    plan: {
      id: string;
      goal: string;
      step: number;
      description: string;
      done: number;
      total: number;
    } | null;
  }[];
  did: {
    kind: 'stopped' | 'told' | 'helped' | 'failed';
    id: string;
    sessionId: string | null;
    project: string | null;
    text: string;
    at: string;
  }[];
  unchecked: Unchecked[];
  attach: {
    command: string;
    inClone: boolean;
    attached: string[];
  };
  counts: {
    learnings: number;
    waiting: number;
  };
};

export type Routes = {
  'GET /health': {
    answer: Health;
  };
  'POST /v1/pairings/redeem': {
    body: {
      code: string;
      name: string;
    };
    answer: Paired;
  };
  'POST /v1/hooks': {
    body: HookEvent;
    answer: HookOutput;
  };
  'GET /v1/hooks/unchecked': {
    answer: {
      unchecked: Unchecked[];
    };
  };
  'POST /v1/commands/stops': {
    body: {
      commands: string[];
      project: string;
      cwd: string;
      root?: string;
      branch?: string;
    };
    answer: {
      stops: Stop[];
    };
  };
  'GET /v1/journal': {
    answer: Journal;
  };
  'POST /v1/journal/retry': {
    answer: JournalRetried;
  };
  'POST /v1/transcripts': {
    body: TranscriptPiece;
    answer: TranscriptRead;
  };
  'POST /v1/search': {
    body: SearchQuery;
    answer: {
      id: string;
      results: SearchResult[];
      degraded: boolean;
      nothingClose: boolean;
      filtered?: {
        inScope: number;
        leftOut: number;
        share: number;
      };
    };
  };
  'POST /v1/search/{id}/feedback': {
    params: { id: string };
    body: SearchFeedback;
    answer: {
      useful: string[];
      notUseful: string[];
    };
  };
  'GET /v1/index': {
    answer: IndexHealth;
  };
  'POST /v1/index/rebuild': {
    answer: IndexHealth;
  };
  'GET /v1/index/model': {
    answer: EmbeddingModel;
  };
  'POST /v1/index/model': {
    answer: EmbeddingModel;
  };
  'GET /v1/amendments': {
    query?: { project?: string; record?: string; limit?: number | string };
    answer: {
      amendments: Amendment[];
    };
  };
  'POST /v1/amendments/{id}/undo': {
    params: { id: string };
    answer: Amendment;
  };
  'POST /v1/amendments/{id}/restore': {
    params: { id: string };
    answer: Amendment;
  };
  'GET /v1/learnings': {
    query?: { project?: string; limit?: number | string; status?: 'trial' | 'active' | 'review' | 'ended'; asOf?: string; q?: string; before?: string };
    answer: {
      learnings: Learning[];
    };
  };
  'POST /v1/learnings': {
    body: NewLearning;
    answer: Admitted;
  };
  'GET /v1/learnings/{id}': {
    params: { id: string };
    answer: WholeLearning;
  };
  'DELETE /v1/learnings/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'PATCH /v1/learnings/{id}': {
    params: { id: string };
    body: LearningChange;
    answer: Learning;
  };
  'POST /v1/learnings/{id}/retire': {
    params: { id: string };
    query?: { reason?: string };
    answer: Learning;
  };
  'POST /v1/learnings/{id}/feedback': {
    params: { id: string };
    body: {
      helpful: boolean;
    };
    answer: Learning;
  };
  'GET /v1/judgements': {
    query?: { project?: string; limit?: number | string };
    answer: {
      judgements: Judgement[];
    };
  };
  'POST /v1/learnings/{id}/approve': {
    params: { id: string };
    answer: Learning;
  };
  'POST /v1/proposals': {
    body: Proposal;
    answer: Proposed;
  };
  'POST /v1/proposals/rules': {
    body: RuleProposal;
    answer: Proposed;
  };
  'GET /v1/audits/waiting': {
    query?: { project?: string };
    answer: WaitingAudits;
  };
  'POST /v1/audits/{id}/answer': {
    params: { id: string };
    body: AuditAnswer;
    answer: {
      waiting: number;
    };
  };
  'GET /v1/guards': {
    query?: { project?: string; lesson?: string; limit?: number | string };
    answer: {
      guards: Guard[];
    };
  };
  'GET /v1/guards/{id}': {
    params: { id: string };
    answer: Guard;
  };
  'PUT /v1/guards/{id}': {
    params: { id: string };
    body: GuardRule;
    answer: Guard;
  };
  'PATCH /v1/guards/{id}': {
    params: { id: string };
    body: GuardChange;
    answer: Guard;
  };
  'GET /v1/incidents': {
    query?: { project?: string; limit?: number | string; status?: 'open' | 'resolved' | 'unresolved' | 'unsolved'; session?: string };
    answer: {
      incidents: Incident[];
    };
  };
  'POST /v1/notes': {
    body: NewNote | NewNote[];
    answer: Note | StoredNotes;
  };
  'GET /v1/notes': {
    query?: { project?: string; channel?: string; channelType?: 'agent' | 'standard' | 'other'; owner?: string; agent?: string; messageType?: 'reflection' | 'decision' | 'pattern' | 'policy'; mention?: string; maxAgeDays?: number | string; before?: string; limit?: number | string };
    answer: {
      notes: Note[];
    };
  };
  'GET /v1/notes/{id}': {
    params: { id: string };
    answer: Note;
  };
  'DELETE /v1/notes/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'GET /v1/channels': {
    query?: { project?: string; type?: 'agent' | 'standard' | 'other'; owner?: string };
    answer: {
      channels: Channel[];
    };
  };
  'PATCH /v1/channels/{name}': {
    params: { name: string };
    body: {
      description: string | null;
    };
    answer: Channel;
  };
  'GET /v1/agents': {
    answer: {
      agents: Agent[];
    };
  };
  'PATCH /v1/agents/{name}': {
    params: { name: string };
    body: {
      description: string | null;
    };
    answer: Agent;
  };
  'POST /v1/findings': {
    body: NewFinding;
    answer: Finding;
  };
  'GET /v1/findings': {
    query?: { project?: string; status?: 'open' | 'in_progress' | 'resolved' | 'wont_fix' | 'duplicate'; severity?: 'critical' | 'high' | 'medium' | 'low' | 'info'; closed?: boolean | 'true' | 'false'; before?: string; limit?: number | string };
    answer: {
      findings: Finding[];
    };
  };
  'GET /v1/findings/{id}': {
    params: { id: string };
    answer: Finding;
  };
  'PATCH /v1/findings/{id}': {
    params: { id: string };
    body: FindingChange;
    answer: Finding;
  };
  'DELETE /v1/findings/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'PUT /v1/findings/{id}/links/{kind}/{other}': {
    params: { id: string; kind: 'blocks' | 'blocked_by' | 'related_to'; other: string };
    answer: Finding;
  };
  'DELETE /v1/findings/{id}/links/{kind}/{other}': {
    params: { id: string; kind: 'blocks' | 'blocked_by' | 'related_to'; other: string };
    answer: Finding;
  };
  'PUT /v1/projects/private-episodes': {
    body: EpisodePrivacy;
    answer: {
      changed: number;
    };
  };
  'GET /v1/episodes': {
    query?: { project?: string; type?: 'feature' | 'bugfix' | 'refactor' | 'investigation' | 'question'; outcome?: 'success' | 'error' | 'stopped' | 'unknown'; session?: string; before?: string; limit?: number | string };
    answer: {
      episodes: ListedEpisode[];
    };
  };
  'GET /v1/episodes/{id}': {
    params: { id: string };
    answer: Episode;
  };
  'PATCH /v1/episodes/{id}': {
    params: { id: string };
    body: EpisodeChange;
    answer: Episode;
  };
  'POST /v1/plans': {
    body: NewPlan;
    answer: Plan;
  };
  'GET /v1/plans': {
    query?: { project?: string; status?: 'planning' | 'in_progress' | 'completed' | 'failed' | 'stopped'; closed?: boolean | 'true' | 'false'; before?: string; limit?: number | string };
    answer: {
      plans: PlanSummary[];
    };
  };
  'GET /v1/plans/{id}': {
    params: { id: string };
    query?: { asOf?: string; since?: number | string };
    answer: Plan;
  };
  'PATCH /v1/plans/{id}': {
    params: { id: string };
    body: PlanChange;
    answer: Plan;
  };
  'DELETE /v1/plans/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'GET /v1/plans/{id}/history': {
    params: { id: string };
    query?: { before?: number | string; limit?: number | string };
    answer: {
      changes: PlanStepHistory[];
    };
  };
  'POST /v1/plans/{id}/steps': {
    params: { id: string };
    body: {
      description: string;
      dependencies?: number[];
      proposed?: boolean;
      agent?: string;
      version?: number;
    };
    answer: Plan;
  };
  'PATCH /v1/plans/{id}/steps/{number}': {
    params: { id: string; number: number | string };
    body: PlanStepChange;
    answer: Plan;
  };
  'POST /v1/plans/{id}/steps/{number}/claim': {
    params: { id: string; number: number | string };
    body: {
      agent: string;
      leaseSeconds?: number;
      version?: number;
    };
    answer: ActedStep;
  };
  'POST /v1/plans/{id}/steps/{number}/heartbeat': {
    params: { id: string; number: number | string };
    body: {
      agent: string;
      leaseSeconds?: number;
    };
    answer: ActedStep;
  };
  'POST /v1/plans/{id}/steps/{number}/complete': {
    params: { id: string; number: number | string };
    body: {
      agent?: string;
      outcome?: string;
      version?: number;
    };
    answer: ActedStep;
  };
  'POST /v1/plans/{id}/steps/{number}/fail': {
    params: { id: string; number: number | string };
    body: {
      agent?: string;
      outcome?: string;
      version?: number;
    };
    answer: ActedStep;
  };
  'POST /v1/plans/{id}/steps/{number}/release': {
    params: { id: string; number: number | string };
    body: {
      agent?: string;
      version?: number;
    };
    answer: ActedStep;
  };
  'POST /v1/plans/{id}/steps/{number}/notes': {
    params: { id: string; number: number | string };
    body: {
      agent?: string;
      text: string;
    };
    answer: ActedStep;
  };
  'GET /v1/freshness': {
    query?: { project?: string; limit?: number | string };
    answer: {
      citations: Citation[];
    };
  };
  'POST /v1/freshness': {
    body: FreshnessReport;
    answer: {
      looked: number;
      stale: number;
    };
  };
  'PUT /v1/facts': {
    body: NewFact;
    answer: Fact & {
      outcome: 'opened' | 'confirmed';
      replaced: string | null;
    };
  };
  'GET /v1/facts': {
    query?: { type?: string; key?: string; project?: string; asOf?: string; recordedAsOf?: string; before?: string; limit?: number | string };
    answer: {
      facts: Fact[];
    };
  };
  'GET /v1/facts/history': {
    query: { type: string; key: string; project?: string; asOf?: string; recordedAsOf?: string; limit?: number | string };
    answer: {
      facts: Fact[];
    };
  };
  'POST /v1/facts/end': {
    body: FactToEnd;
    answer: {
      fact: Fact | null;
    };
  };
  'POST /v1/facts/undo': {
    body: FactToUndo;
    answer: {
      facts: Fact[];
    };
  };
  'GET /v1/facts/{id}': {
    params: { id: string };
    answer: Fact & {
      history: Fact[];
    };
  };
  'DELETE /v1/facts/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'PUT /v1/relations': {
    body: NewRelation;
    answer: Relation & {
      outcome: 'opened' | 'confirmed';
      replaced: string | null;
    };
  };
  'GET /v1/relations': {
    query?: { fromType?: string; fromKey?: string; relation?: string; toType?: string; toKey?: string; project?: string; asOf?: string; recordedAsOf?: string; before?: string; limit?: number | string };
    answer: {
      relations: Relation[];
    };
  };
  'GET /v1/relations/neighbourhood': {
    query: { type: string; key: string; hops?: number | string; direction?: 'out' | 'in' | 'both'; project?: string; asOf?: string; recordedAsOf?: string; limit?: number | string };
    answer: {
      relations: (Relation & {
        hop: number;
      })[];
      entities: {
        type: string;
        key: string;
        hop: number;
      }[];
      truncated: boolean;
    };
  };
  'POST /v1/relations/end': {
    body: RelationToEnd;
    answer: {
      relation: Relation | null;
    };
  };
  'POST /v1/relations/undo': {
    body: RelationToUndo;
    answer: {
      relations: Relation[];
    };
  };
  'GET /v1/relations/{id}': {
    params: { id: string };
    answer: Relation & {
      history: Relation[];
    };
  };
  'DELETE /v1/relations/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'POST /v1/decisions': {
    body: NewDecision;
    answer: Decision & {
      outcome: 'opened' | 'confirmed';
    };
  };
  'GET /v1/decisions': {
    query?: { project?: string; asOf?: string; recordedAsOf?: string; before?: string; limit?: number | string };
    answer: {
      decisions: Decision[];
    };
  };
  'GET /v1/decisions/{id}': {
    params: { id: string };
    query?: { asOf?: string; recordedAsOf?: string };
    answer: Decision & {
      history: Decision[];
      amendments: Amendment[];
    };
  };
  'DELETE /v1/decisions/{id}': {
    params: { id: string };
    answer: undefined;
  };
  'POST /v1/decisions/{id}/end': {
    params: { id: string };
    body: DecisionToEnd;
    answer: Decision;
  };
  'GET /v1/observations': {
    query?: { session?: string; project?: string; before?: string; limit?: number | string };
    answer: {
      observations: ListedObservation[];
    };
  };
  'GET /v1/observations/{id}': {
    params: { id: string };
    query?: { from?: number | string; to?: number | string; q?: string; regex?: boolean | 'true' | 'false'; context?: number | string };
    answer: Observation;
  };
  'GET /v1/skills': {
    query?: { project?: string; category?: string; asOf?: string; after?: string; limit?: number | string; tokenBudget?: number | string; details?: boolean | 'true' | 'false' };
    answer: {
      skills: (ListedSkill | {
        name: string;
        description: string;
      })[];
    };
  };
  'GET /v1/skills/{name}': {
    params: { name: string };
    query?: { project?: string; asOf?: string; files?: boolean | 'true' | 'false' };
    answer: Skill;
  };
  'PUT /v1/skills/{name}': {
    params: { name: string };
    body: NewSkill;
    answer: Skill;
  };
  'DELETE /v1/skills/{name}': {
    params: { name: string };
    query?: { project?: string };
    answer: undefined;
  };
  'POST /v1/skills/{name}/activate': {
    params: { name: string };
    query?: { project?: string; session?: string; agent?: string };
    answer: ActivatedSkill;
  };
  'GET /v1/skills/{name}/history': {
    params: { name: string };
    query?: { project?: string; limit?: number | string };
    answer: SkillHistory;
  };
  'POST /v1/skills/{name}/retire': {
    params: { name: string };
    query?: { project?: string; base?: string };
    answer: undefined;
  };
  'GET /v1/skills/{name}/memory': {
    params: { name: string };
    query?: { project?: string; version?: number | string; asOf?: string };
    answer: SkillMemory;
  };
  'PUT /v1/skills/{name}/memory': {
    params: { name: string };
    body: {
      project?: string;
      text: string;
      base?: number;
    };
    answer: SkillMemory;
  };
  'POST /v1/skills/{name}/memory': {
    params: { name: string };
    body: {
      project?: string;
      entry: string;
      session?: string;
      agent?: string;
    };
    answer: SkillMemory;
  };
  'POST /v1/logs': {
    body: NewSkillLog;
    answer: {
      id: string;
      run: string;
    };
  };
  'GET /v1/logs': {
    query?: { project?: string; skill?: string; action?: string; result?: 'started' | 'succeeded' | 'failed'; session?: string; before?: string; limit?: number | string };
    answer: {
      logs: SkillLog[];
    };
  };
  'GET /v1/patterns': {
    query?: { project?: string; type?: 'task_template' | 'tool_sequence' | 'error_recovery' | 'refactor' | 'skill'; status?: 'active' | 'rejected' | 'closed'; before?: string; limit?: number | string };
    answer: {
      patterns: Pattern[];
    };
  };
  'GET /v1/patterns/{id}': {
    params: { id: string };
    answer: Pattern & {
      seenIn: string[];
    };
  };
  'PATCH /v1/patterns/{id}': {
    params: { id: string };
    body: PatternChange;
    answer: Pattern;
  };
  'GET /v1/export': {
    query?: { project?: string; after?: string; observations?: boolean | 'true' | 'false'; limit?: number | string };
    answer: Exported;
  };
  'POST /v1/import': {
    body: RecordsToImport;
    answer: Imported;
  };
  'GET /v1/sessions': {
    query?: { project?: string; status?: 'active' | 'completed' | 'failed' | 'stopped'; before?: string; limit?: number | string };
    answer: {
      sessions: ListedSession[];
    };
  };
  'GET /v1/calls/{id}': {
    params: { id: string };
    answer: HookedCall;
  };
  'GET /v1/sessions/{id}': {
    params: { id: string };
    query?: { events?: number | string };
    answer: WholeSession;
  };
  'GET /v1/sessions/{id}/offers': {
    params: { id: string };
    query?: { limit?: number | string };
    answer: {
      offers: Offered[];
    };
  };
  'POST /v1/projects/which': {
    body: {
      cwd: string;
      root?: string;
      repo?: string;
      main?: string;
    };
    answer: {
      name: string;
      exists: boolean;
    };
  };
  'POST /v1/projects': {
    body: {
      name: string;
    } | {
      cwd: string;
      root?: string;
      repo?: string;
      main?: string;
      commit?: string;
    };
    answer: {
      name: string;
      joined: string | null;
    };
  };
  'GET /v1/projects': {
    answer: {
      projects: Project[];
    };
  };
  'POST /v1/projects/join': {
    body: {
      from: string;
      into: string;
      dryRun?: boolean;
    };
    answer: JoinedProjects;
  };
  'POST /v1/projects/first-commit': {
    body: {
      session: string;
      commit: string;
    };
    answer: {
      joined: string | null;
    };
  };
  'POST /v1/commands/check': {
    body: Command;
    answer: CheckedCommand;
  };
  'GET /v1/commands/checks': {
    query?: { code?: string; decision?: 'allow' | 'deny' | 'ask' | 'hold' | 'held'; project?: string; before?: string; limit?: number | string };
    answer: {
      checks: ShownCheck[];
    };
  };
  'PUT /v1/commands/checks/{code}/judgement': {
    params: { code: string };
    body: HoldJudgement;
    answer: HoldJudgement;
  };
  'POST /v1/commands/overrule': {
    body: Overruling;
    answer: {
      command: string;
      cwd: string;
    };
  };
  'GET /v1/commands/rules': {
    query?: { project?: string };
    answer: {
      rules: ShownRule[];
      off: string[];
      problems: string[];
    };
  };
  'GET /v1/commands/verdicts': {
    query?: { code?: string; before?: string; limit?: number | string };
    answer: {
      verdicts: ShownVerdict[];
    };
  };
  'DELETE /v1/commands/verdicts/{code}': {
    params: { code: string };
    answer: undefined;
  };
  'GET /v1/consolidation/runs': {
    query?: { limit?: number | string; before?: string };
    answer: {
      runs: ConsolidationRun[];
      next: string;
    };
  };
  'POST /v1/consolidation/runs': {
    query?: { dryRun?: boolean | 'true' | 'false' };
    answer: ConsolidationPlan | ConsolidationRun;
  };
  'GET /v1/consolidation/runs/{id}': {
    params: { id: string };
    answer: ConsolidationReport;
  };
  'POST /v1/consolidation/runs/{id}/undo': {
    params: { id: string };
    query?: { item?: string };
    answer: {
      undone: number;
    };
  };
  'GET /v1/metrics': {
    query?: { days?: number | string };
    answer: Metrics;
  };
  'GET /v1/model': {
    answer: Model;
  };
  'GET /v1/me': {
    answer: Me;
  };
  'POST /v1/token': {
    answer: Token;
  };
  'PUT /v1/owner/sign-in': {
    body: {
      authId: string | null;
    };
    answer: Claimed;
  };
  'GET /v1/keys': {
    answer: {
      keys: Key[];
    };
  };
  'POST /v1/keys': {
    body: {
      name: string;
      scope?: 'hooks' | 'person' | 'device';
      project?: string | null;
    };
    answer: NewKey;
  };
  'PATCH /v1/keys/{id}': {
    params: { id: string };
    body: {
      project: string | null;
    };
    answer: Key;
  };
  'DELETE /v1/keys/{id}': {
    params: { id: string };
    query?: { user?: string };
    answer: undefined;
  };
  'GET /v1/users': {
    answer: {
      users: User[];
    };
  };
  'POST /v1/users': {
    body: {
      name: string;
    };
    answer: NewMember;
  };
  'POST /v1/pairings': {
    answer: Pairing;
  };
  'GET /v1/push': {
    answer: Push;
  };
  'PUT /v1/push': {
    body: PushSubscription;
    answer: undefined;
  };
  'DELETE /v1/push': {
    answer: undefined;
  };
  'GET /v1/settings': {
    answer: Settings;
  };
  'PUT /v1/settings': {
    body: SettingsChange;
    answer: Settings;
  };
  'POST /v1/erase': {
    body: ToErase;
    answer: Erased;
  };
  'DELETE /v1/users/{id}': {
    params: { id: string };
    query?: { erase?: boolean | 'true' | 'false' };
    answer: RemovedUser;
  };
  'POST /v1/sql': {
    body: SqlQuery;
    answer: SqlResult;
  };
  'GET /v1/dead-letters': {
    answer: {
      deadLetters: DeadLetter[];
    };
  };
  'POST /v1/dead-letters/retry': {
    answer: {
      retried: number;
    };
  };
  'GET /v1/workers': {
    answer: {
      workers: Worker[];
    };
  };
  'POST /v1/backup': {
    body: {
      folder: string;
    };
    answer: Backup;
  };
  'GET /v1/dashboard': {
    query?: { timeZone?: string };
    answer: Dashboard;
  };
};
