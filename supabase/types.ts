export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "agents": {
                  Row: {
                    "created_at": string,"description": string | null,"last_active": string,"name": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"description"?: string | null,"last_active"?: string,"name": string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"description"?: string | null,"last_active"?: string,"name"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "agents_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"amendment_queue": {
                  Row: {
                    "kind": string,"source_id": string,"user_id": string,"valid_from": string
                  }
                  ComputedFields: never
                  Insert: {
                    "kind": string,"source_id": string,"user_id"?: string,"valid_from": string
                  }
                  Update: {
                    "kind"?: string,"source_id"?: string,"user_id"?: string,"valid_from"?: string
                  }
                  Relationships: [
                    
                  ]
                },"amendments": {
                  Row: {
                    "created_at": string,"evidence": NonNullable<Json>,"id": string,"kind": string,"newer_id": string,"older_id": string,"undone_at": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"evidence": NonNullable<Json>,"id"?: string,"kind": string,"newer_id": string,"older_id": string,"undone_at"?: string | null,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"evidence"?: NonNullable<Json>,"id"?: string,"kind"?: string,"newer_id"?: string,"older_id"?: string,"undone_at"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"api_keys": {
                  Row: {
                    "created_at": string,"id": string,"key_hash": string,"last_used_at": string | null,"name": string,"project": string | null,"revoked_at": string | null,"scope": string,"source": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"id"?: string,"key_hash": string,"last_used_at"?: string | null,"name": string,"project"?: string | null,"revoked_at"?: string | null,"scope"?: string,"source"?: string | null,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"id"?: string,"key_hash"?: string,"last_used_at"?: string | null,"name"?: string,"project"?: string | null,"revoked_at"?: string | null,"scope"?: string,"source"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "api_keys_user_id_profiles_user_id_fk"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "api_keys_user_id_project_projects_user_id_id_fk"
      columns: ["user_id","project"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"channels": {
                  Row: {
                    "created_at": string,"description": string | null,"name": string,"user_id": string,"channel_owner": string | null,"channel_type": string | null
                  }
                  ComputedFields: "channel_owner" | "channel_type"
                  Insert: {
                    "created_at"?: string,"description"?: string | null,"name": string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"description"?: string | null,"name"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "channels_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"citations": {
                  Row: {
                    "checked_at": string | null,"cited_at": string,"hash": string | null,"head": string | null,"kind": string,"project_id": string | null,"ref": string,"root": string | null,"size": number | null,"source_id": string,"state": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_at"?: string | null,"cited_at"?: string,"hash"?: string | null,"head"?: string | null,"kind": string,"project_id"?: string | null,"ref": string,"root"?: string | null,"size"?: number | null,"source_id": string,"state"?: string,"user_id"?: string
                  }
                  Update: {
                    "checked_at"?: string | null,"cited_at"?: string,"hash"?: string | null,"head"?: string | null,"kind"?: string,"project_id"?: string | null,"ref"?: string,"root"?: string | null,"size"?: number | null,"source_id"?: string,"state"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "citations_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "citations_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"command_cache": {
                  Row: {
                    "checked_at": string,"checked_by": string,"code": string,"command": string,"cwd": string,"decision": string,"expires_at": string | null,"hit_count": number,"key": string,"once": boolean,"reason": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_at"?: string,"checked_by": string,"code": string,"command": string,"cwd": string,"decision": string,"expires_at"?: string | null,"hit_count"?: number,"key": string,"once"?: boolean,"reason": string,"user_id"?: string
                  }
                  Update: {
                    "checked_at"?: string,"checked_by"?: string,"code"?: string,"command"?: string,"cwd"?: string,"decision"?: string,"expires_at"?: string | null,"hit_count"?: number,"key"?: string,"once"?: boolean,"reason"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "command_cache_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"command_checks": {
                  Row: {
                    "cached": boolean,"checked_at": string,"code": string,"command": string,"covered": boolean,"cwd": string,"decision": string,"entry_id": string | null,"id": number,"judged": string | null,"key": string,"lesson_id": string | null,"ms": number,"reason": string,"rule": string | null,"session_id": string | null,"severity": string | null,"source": string,"tool": string | null,"tool_use_id": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "cached": boolean,"checked_at"?: string,"code": string,"command": string,"covered"?: boolean,"cwd": string,"decision": string,"entry_id"?: string | null,"id"?: never,"judged"?: string | null,"key": string,"lesson_id"?: string | null,"ms": number,"reason": string,"rule"?: string | null,"session_id"?: string | null,"severity"?: string | null,"source": string,"tool"?: string | null,"tool_use_id"?: string | null,"user_id"?: string
                  }
                  Update: {
                    "cached"?: boolean,"checked_at"?: string,"code"?: string,"command"?: string,"covered"?: boolean,"cwd"?: string,"decision"?: string,"entry_id"?: string | null,"id"?: never,"judged"?: string | null,"key"?: string,"lesson_id"?: string | null,"ms"?: number,"reason"?: string,"rule"?: string | null,"session_id"?: string | null,"severity"?: string | null,"source"?: string,"tool"?: string | null,"tool_use_id"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "command_checks_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "command_checks_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"consolidation_items": {
                  Row: {
                    "action": string,"changes": NonNullable<Json>,"id": string,"kept_id": string | null,"kind": string,"reason": string,"record_id": string,"run_id": string,"seq": number,"undone_at": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "action": string,"changes": NonNullable<Json>,"id"?: string,"kept_id"?: string | null,"kind": string,"reason": string,"record_id": string,"run_id": string,"seq"?: never,"undone_at"?: string | null,"user_id"?: string
                  }
                  Update: {
                    "action"?: string,"changes"?: NonNullable<Json>,"id"?: string,"kept_id"?: string | null,"kind"?: string,"reason"?: string,"record_id"?: string,"run_id"?: string,"seq"?: never,"undone_at"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "consolidation_items_run"
      columns: ["user_id","run_id"]
isOneToOne: false
      referencedRelation: "consolidation_runs"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"consolidation_runs": {
                  Row: {
                    "counts": NonNullable<Json>,"error": string | null,"finished_at": string | null,"id": string,"keep_from": string | null,"position": string | null,"stage": string,"started_at": string,"started_by": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "counts"?: NonNullable<Json>,"error"?: string | null,"finished_at"?: string | null,"id"?: string,"keep_from"?: string | null,"position"?: string | null,"stage": string,"started_at"?: string,"started_by": string,"user_id"?: string
                  }
                  Update: {
                    "counts"?: NonNullable<Json>,"error"?: string | null,"finished_at"?: string | null,"id"?: string,"keep_from"?: string | null,"position"?: string | null,"stage"?: string,"started_at"?: string,"started_by"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "consolidation_runs_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"dashboard_projects": {
                  Row: {
                    "active_sessions": number,"day": string,"errors_today": number,"last_activity": string,"last_title": string | null,"lessons_today": number,"name": string,"project_id": string,"reason": string | null,"status": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "active_sessions": number,"day": string,"errors_today": number,"last_activity": string,"last_title"?: string | null,"lessons_today": number,"name": string,"project_id": string,"reason"?: string | null,"status": string,"user_id"?: string
                  }
                  Update: {
                    "active_sessions"?: number,"day"?: string,"errors_today"?: number,"last_activity"?: string,"last_title"?: string | null,"lessons_today"?: number,"name"?: string,"project_id"?: string,"reason"?: string | null,"status"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "dashboard_projects_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: true
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"decisions": {
                  Row: {
                    "action": string,"agent": string | null,"closed_by": string | null,"condition": string,"confidence": number,"confirmations": number,"confirmed_at": string,"evidence": string | null,"id": string,"opened_by": string,"project_id": string | null,"recorded_at": string,"recorded_until": string | null,"scope_id": string,"session_id": string | null,"source": string | null,"stated_until": string | null,"subject": string,"tier": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "action": string,"agent"?: string | null,"closed_by"?: string | null,"condition": string,"confidence": number,"confirmations"?: number,"confirmed_at"?: string,"evidence"?: string | null,"id"?: string,"opened_by"?: string,"project_id"?: string | null,"recorded_at"?: string,"recorded_until"?: string | null,"scope_id"?: never,"session_id"?: string | null,"source"?: string | null,"stated_until"?: string | null,"subject"?: never,"tier": string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Update: {
                    "action"?: string,"agent"?: string | null,"closed_by"?: string | null,"condition"?: string,"confidence"?: number,"confirmations"?: number,"confirmed_at"?: string,"evidence"?: string | null,"id"?: string,"opened_by"?: string,"project_id"?: string | null,"recorded_at"?: string,"recorded_until"?: string | null,"scope_id"?: never,"session_id"?: string | null,"source"?: string | null,"stated_until"?: string | null,"subject"?: never,"tier"?: string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "decisions_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "decisions_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"episode_cuts": {
                  Row: {
                    "asked": number,"attempts": number,"error": string | null,"failed_at": string | null,"id": string,"part": string,"run_after": string,"session_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "asked"?: number,"attempts"?: number,"error"?: string | null,"failed_at"?: string | null,"id"?: string,"part": string,"run_after"?: string,"session_id": string,"user_id"?: string
                  }
                  Update: {
                    "asked"?: number,"attempts"?: number,"error"?: string | null,"failed_at"?: string | null,"id"?: string,"part"?: string,"run_after"?: string,"session_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "episode_cuts_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"episodes": {
                  Row: {
                    "description": string,"ended_at": string | null,"error": string | null,"files_modified": (string)[],"id": string,"last_message": string | null,"outcome": string,"project_id": string,"session_id": string | null,"start_key": string,"started_at": string,"steps": NonNullable<Json>,"type": string,"user_id": string,"episode_document": string | null,"episode_line": string | null
                  }
                  ComputedFields: "episode_document" | "episode_line"
                  Insert: {
                    "description": string,"ended_at"?: string | null,"error"?: string | null,"files_modified"?: (string)[],"id"?: string,"last_message"?: string | null,"outcome"?: string,"project_id": string,"session_id"?: string | null,"start_key": string,"started_at": string,"steps"?: NonNullable<Json>,"type": string,"user_id"?: string
                  }
                  Update: {
                    "description"?: string,"ended_at"?: string | null,"error"?: string | null,"files_modified"?: (string)[],"id"?: string,"last_message"?: string | null,"outcome"?: string,"project_id"?: string,"session_id"?: string | null,"start_key"?: string,"started_at"?: string,"steps"?: NonNullable<Json>,"type"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "episodes_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "episodes_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"erasures": {
                  Row: {
                    "session": string,"until": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "session": string,"until": string,"user_id"?: string
                  }
                  Update: {
                    "session"?: string,"until"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "erasures_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"events": {
                  Row: {
                    "agent_id": string | null,"dedup_key": string,"event": string,"id": number,"occurred_at": string,"payload": NonNullable<Json>,"received_at": string,"session_id": string,"source": string,"target": string | null,"tool_name": string | null,"tool_use_id": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "agent_id"?: string | null,"dedup_key": string,"event": string,"id"?: never,"occurred_at": string,"payload": NonNullable<Json>,"received_at"?: string,"session_id": string,"source": string,"target"?: string | null,"tool_name"?: string | null,"tool_use_id"?: string | null,"user_id"?: string
                  }
                  Update: {
                    "agent_id"?: string | null,"dedup_key"?: string,"event"?: string,"id"?: never,"occurred_at"?: string,"payload"?: NonNullable<Json>,"received_at"?: string,"session_id"?: string,"source"?: string,"target"?: string | null,"tool_name"?: string | null,"tool_use_id"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "events_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"facts": {
                  Row: {
                    "agent": string | null,"closed_by": string | null,"confirmations": number,"confirmed_at": string,"evidence": string | null,"id": string,"key": string,"opened_by": string,"project_id": string | null,"recorded_at": string,"recorded_until": string | null,"scope_id": string,"session_id": string | null,"source": string | null,"subject": string,"tier": string,"type": string,"user_id": string,"valid_from": string,"valid_until": string | null,"value": NonNullable<Json>
                  }
                  ComputedFields: never
                  Insert: {
                    "agent"?: string | null,"closed_by"?: string | null,"confirmations"?: number,"confirmed_at"?: string,"evidence"?: string | null,"id"?: string,"key": string,"opened_by"?: string,"project_id"?: string | null,"recorded_at"?: string,"recorded_until"?: string | null,"scope_id"?: never,"session_id"?: string | null,"source"?: string | null,"subject"?: never,"tier": string,"type": string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null,"value": NonNullable<Json>
                  }
                  Update: {
                    "agent"?: string | null,"closed_by"?: string | null,"confirmations"?: number,"confirmed_at"?: string,"evidence"?: string | null,"id"?: string,"key"?: string,"opened_by"?: string,"project_id"?: string | null,"recorded_at"?: string,"recorded_until"?: string | null,"scope_id"?: never,"session_id"?: string | null,"source"?: string | null,"subject"?: never,"tier"?: string,"type"?: string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null,"value"?: NonNullable<Json>
                  }
                  Relationships: [
                    {
      foreignKeyName: "facts_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "facts_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"finding_links": {
                  Row: {
                    "created_at": string,"from_id": string,"kind": string,"to_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"from_id": string,"kind": string,"to_id": string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"from_id"?: string,"kind"?: string,"to_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "finding_links_user_id_from_id_findings_user_id_id_fk"
      columns: ["user_id","from_id"]
isOneToOne: false
      referencedRelation: "findings"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "finding_links_user_id_from_id_findings_user_id_id_fk"
      columns: ["user_id","from_id"]
isOneToOne: false
      referencedRelation: "searchable_finding"
      referencedColumns: ["user_id","source_id"]
    },{
      foreignKeyName: "finding_links_user_id_to_id_findings_user_id_id_fk"
      columns: ["user_id","to_id"]
isOneToOne: false
      referencedRelation: "findings"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "finding_links_user_id_to_id_findings_user_id_id_fk"
      columns: ["user_id","to_id"]
isOneToOne: false
      referencedRelation: "searchable_finding"
      referencedColumns: ["user_id","source_id"]
    }
                  ]
                },"findings": {
                  Row: {
                    "agent": string | null,"closed_at": string | null,"created_at": string,"detail": string,"file": string | null,"id": string,"line": number | null,"project_id": string,"proposed_by": string | null,"proposed_status": string | null,"resembles": string | null,"resolution": string | null,"severity": string,"solved_by": string | null,"status": string,"title": string,"updated_at": string,"user_id": string,"written_by": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "agent"?: string | null,"closed_at"?: string | null,"created_at"?: string,"detail"?: string,"file"?: string | null,"id"?: string,"line"?: number | null,"project_id": string,"proposed_by"?: string | null,"proposed_status"?: string | null,"resembles"?: string | null,"resolution"?: string | null,"severity"?: string,"solved_by"?: string | null,"status"?: string,"title": string,"updated_at"?: string,"user_id"?: string,"written_by"?: string | null
                  }
                  Update: {
                    "agent"?: string | null,"closed_at"?: string | null,"created_at"?: string,"detail"?: string,"file"?: string | null,"id"?: string,"line"?: number | null,"project_id"?: string,"proposed_by"?: string | null,"proposed_status"?: string | null,"resembles"?: string | null,"resolution"?: string | null,"severity"?: string,"solved_by"?: string | null,"status"?: string,"title"?: string,"updated_at"?: string,"user_id"?: string,"written_by"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "findings_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"guards": {
                  Row: {
                    "created_at": string,"hits": number,"id": string,"last_hit_at": string | null,"lineage_id": string,"passes": (string)[],"project_id": string,"reason": string | null,"rule": NonNullable<Json>,"source": string,"state": string,"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"hits"?: number,"id"?: string,"last_hit_at"?: string | null,"lineage_id": string,"passes"?: (string)[],"project_id": string,"reason"?: string | null,"rule": NonNullable<Json>,"source": string,"state": string,"updated_at"?: string,"user_id"?: string
                  }
                  Update: {
                    "created_at"?: string,"hits"?: number,"id"?: string,"last_hit_at"?: string | null,"lineage_id"?: string,"passes"?: (string)[],"project_id"?: string,"reason"?: string | null,"rule"?: NonNullable<Json>,"source"?: string,"state"?: string,"updated_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "guards_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"incidents": {
                  Row: {
                    "agent_id": string | null,"error": string,"error_type": string | null,"id": string,"input": NonNullable<Json>,"opened_at": string,"project_id": string,"resolution": Json | null,"resolved_at": string | null,"session_id": string,"signature": string,"signature_text": string,"status": string,"target": string | null,"tool_name": string,"tool_use_id": string,"tried": Json | null,"user_id": string,"incident_call": string | null,"incident_outcome": string | null,"is_error": boolean | null
                  }
                  ComputedFields: "incident_call" | "incident_outcome" | "is_error"
                  Insert: {
                    "agent_id"?: string | null,"error": string,"error_type"?: string | null,"id"?: string,"input": NonNullable<Json>,"opened_at": string,"project_id": string,"resolution"?: Json | null,"resolved_at"?: string | null,"session_id": string,"signature": string,"signature_text": string,"status"?: string,"target"?: string | null,"tool_name": string,"tool_use_id": string,"tried"?: Json | null,"user_id"?: string
                  }
                  Update: {
                    "agent_id"?: string | null,"error"?: string,"error_type"?: string | null,"id"?: string,"input"?: NonNullable<Json>,"opened_at"?: string,"project_id"?: string,"resolution"?: Json | null,"resolved_at"?: string | null,"session_id"?: string,"signature"?: string,"signature_text"?: string,"status"?: string,"target"?: string | null,"tool_name"?: string,"tool_use_id"?: string,"tried"?: Json | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "incidents_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "incidents_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"learning_requests": {
                  Row: {
                    "agent_id": string | null,"attempts": number,"candidate": Json | null,"created_at": string,"decision": string | null,"error": string | null,"evaluator": string | null,"event": string,"evidence": Json | null,"finished_at": string | null,"id": string,"incident_id": string | null,"learning_id": string | null,"project_id": string,"reason": string | null,"run_after": string,"session_id": string | null,"status": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "agent_id"?: string | null,"attempts"?: number,"candidate"?: Json | null,"created_at"?: string,"decision"?: string | null,"error"?: string | null,"evaluator"?: string | null,"event": string,"evidence"?: Json | null,"finished_at"?: string | null,"id"?: string,"incident_id"?: string | null,"learning_id"?: string | null,"project_id": string,"reason"?: string | null,"run_after"?: string,"session_id"?: string | null,"status"?: string,"user_id"?: string
                  }
                  Update: {
                    "agent_id"?: string | null,"attempts"?: number,"candidate"?: Json | null,"created_at"?: string,"decision"?: string | null,"error"?: string | null,"evaluator"?: string | null,"event"?: string,"evidence"?: Json | null,"finished_at"?: string | null,"id"?: string,"incident_id"?: string | null,"learning_id"?: string | null,"project_id"?: string,"reason"?: string | null,"run_after"?: string,"session_id"?: string | null,"status"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "learning_requests_user_id_incident_id_incidents_user_id_id_fk"
      columns: ["user_id","incident_id"]
isOneToOne: true
      referencedRelation: "incidents"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "learning_requests_user_id_incident_id_incidents_user_id_id_fk"
      columns: ["user_id","incident_id"]
isOneToOne: true
      referencedRelation: "searchable_error"
      referencedColumns: ["user_id","source_id"]
    },{
      foreignKeyName: "learning_requests_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"learnings": {
                  Row: {
                    "applies_to": (string)[],"branch": string | null,"confidence": number,"context": string,"created_at": string,"error_type": string | null,"evaluated_by": string,"everywhere": boolean,"failure_count": number,"id": string,"keywords": (string)[],"last_confirmed_at": string,"lesson": string,"lineage_id": string,"prior_confidence": number,"project_id": string,"same_key": string | null,"signature": string | null,"source_error": string | null,"source_incident_id": string | null,"source_session_id": string | null,"source_subagent": string | null,"status": string,"success_count": number,"supersedes": string | null,"target": string | null,"updated_at": string,"usage_count": number,"user_id": string,"valid_from": string,"valid_until": string | null,"why": string | null,"learning_document": string | null
                  }
                  ComputedFields: "learning_document"
                  Insert: {
                    "applies_to"?: (string)[],"branch"?: string | null,"confidence": number,"context": string,"created_at"?: string,"error_type"?: string | null,"evaluated_by": string,"everywhere"?: boolean,"failure_count"?: number,"id"?: string,"keywords"?: (string)[],"last_confirmed_at"?: string,"lesson": string,"lineage_id"?: string,"prior_confidence": number,"project_id": string,"same_key"?: string | null,"signature"?: string | null,"source_error"?: string | null,"source_incident_id"?: string | null,"source_session_id"?: string | null,"source_subagent"?: string | null,"status": string,"success_count"?: number,"supersedes"?: string | null,"target"?: string | null,"updated_at"?: string,"usage_count"?: number,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null,"why"?: string | null
                  }
                  Update: {
                    "applies_to"?: (string)[],"branch"?: string | null,"confidence"?: number,"context"?: string,"created_at"?: string,"error_type"?: string | null,"evaluated_by"?: string,"everywhere"?: boolean,"failure_count"?: number,"id"?: string,"keywords"?: (string)[],"last_confirmed_at"?: string,"lesson"?: string,"lineage_id"?: string,"prior_confidence"?: number,"project_id"?: string,"same_key"?: string | null,"signature"?: string | null,"source_error"?: string | null,"source_incident_id"?: string | null,"source_session_id"?: string | null,"source_subagent"?: string | null,"status"?: string,"success_count"?: number,"supersedes"?: string | null,"target"?: string | null,"updated_at"?: string,"usage_count"?: number,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null,"why"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "learnings_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"llm_usage": {
                  Row: {
                    "day": string,"failures": number,"input_tokens": number,"model": string,"output_tokens": number,"purpose": string,"requests": number,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "day": string,"failures"?: number,"input_tokens"?: number,"model": string,"output_tokens"?: number,"purpose": string,"requests"?: number,"user_id"?: string
                  }
                  Update: {
                    "day"?: string,"failures"?: number,"input_tokens"?: number,"model"?: string,"output_tokens"?: number,"purpose"?: string,"requests"?: number,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "llm_usage_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"note_finds": {
                  Row: {
                    "found_at": string,"note_id": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "found_at": string,"note_id": string,"user_id"?: string
                  }
                  Update: {
                    "found_at"?: string,"note_id"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "note_finds_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"notes": {
                  Row: {
                    "channel": string,"confidence": number,"content": string,"conversation": string | null,"created_at": string,"dedup_key": string | null,"id": string,"mentions": (string)[],"message_type": string,"metadata": NonNullable<Json>,"project_id": string | null,"sender": string | null,"sender_project": string | null,"seq": number,"supersedes": string | null,"user_id": string,"valid_until": string | null,"written_by": string | null,"note_context": string | null,"note_label": string | null,"note_speaker": string | null
                  }
                  ComputedFields: "note_context" | "note_label" | "note_speaker"
                  Insert: {
                    "channel": string,"confidence"?: number,"content": string,"conversation"?: string | null,"created_at"?: string,"dedup_key"?: string | null,"id"?: string,"mentions"?: (string)[],"message_type"?: string,"metadata"?: NonNullable<Json>,"project_id"?: string | null,"sender"?: string | null,"sender_project"?: string | null,"seq"?: never,"supersedes"?: string | null,"user_id"?: string,"valid_until"?: string | null,"written_by"?: string | null
                  }
                  Update: {
                    "channel"?: string,"confidence"?: number,"content"?: string,"conversation"?: string | null,"created_at"?: string,"dedup_key"?: string | null,"id"?: string,"mentions"?: (string)[],"message_type"?: string,"metadata"?: NonNullable<Json>,"project_id"?: string | null,"sender"?: string | null,"sender_project"?: string | null,"seq"?: never,"supersedes"?: string | null,"user_id"?: string,"valid_until"?: string | null,"written_by"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "notes_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "notes_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"observation_sources": {
                  Row: {
                    "about": string,"agent_id": string | null,"at": string,"event_key": string,"masked": boolean,"observation_id": string,"project_id": string,"session": string,"tool": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "about": string,"agent_id"?: string | null,"at": string,"event_key": string,"masked"?: boolean,"observation_id": string,"project_id": string,"session": string,"tool": string,"user_id"?: string
                  }
                  Update: {
                    "about"?: string,"agent_id"?: string | null,"at"?: string,"event_key"?: string,"masked"?: boolean,"observation_id"?: string,"project_id"?: string,"session"?: string,"tool"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "observation_sources_user_id_observation_id_observations_user_id"
      columns: ["user_id","observation_id"]
isOneToOne: false
      referencedRelation: "observations"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "observation_sources_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"observations": {
                  Row: {
                    "characters": number,"content": string,"created_at": string,"hash": string,"id": string,"lines": number,"user_id": string,"whole": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "characters": number,"content": string,"created_at"?: string,"hash": string,"id": string,"lines": number,"user_id"?: string,"whole": boolean
                  }
                  Update: {
                    "characters"?: number,"content"?: string,"created_at"?: string,"hash"?: string,"id"?: string,"lines"?: number,"user_id"?: string,"whole"?: boolean
                  }
                  Relationships: [
                    
                  ]
                },"offers": {
                  Row: {
                    "agent_id": string | null,"agent_type": string | null,"dedup_key": string,"event": string,"id": string,"kind": string,"offered_at": string,"outcome": string | null,"position": number,"relevance": string | null,"session_id": string,"settled_at": string | null,"source_id": string | null,"text": string,"tokens": number,"user_id": string,"withheld": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "agent_id"?: string | null,"agent_type"?: string | null,"dedup_key": string,"event": string,"id"?: string,"kind": string,"offered_at": string,"outcome"?: string | null,"position": number,"relevance"?: string | null,"session_id": string,"settled_at"?: string | null,"source_id"?: string | null,"text": string,"tokens": number,"user_id"?: string,"withheld"?: boolean
                  }
                  Update: {
                    "agent_id"?: string | null,"agent_type"?: string | null,"dedup_key"?: string,"event"?: string,"id"?: string,"kind"?: string,"offered_at"?: string,"outcome"?: string | null,"position"?: number,"relevance"?: string | null,"session_id"?: string,"settled_at"?: string | null,"source_id"?: string | null,"text"?: string,"tokens"?: number,"user_id"?: string,"withheld"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "offers_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"pairings": {
                  Row: {
                    "code_hash": string,"created_at": string,"expires_at": string,"made_by": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "code_hash": string,"created_at"?: string,"expires_at": string,"made_by": string,"user_id"?: string
                  }
                  Update: {
                    "code_hash"?: string,"created_at"?: string,"expires_at"?: string,"made_by"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "pairings_user_id_profiles_user_id_fk"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"patterns": {
                  Row: {
                    "created_at": string,"episodes": number,"evidence": (string)[],"failures": number,"form": string,"id": string,"last_used": string,"name": string,"project_id": string,"sessions": number,"signature": string | null,"status": string,"successes": number,"template": NonNullable<Json>,"triggers": (string)[],"type": string,"updated_at": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "created_at"?: string,"episodes": number,"evidence"?: (string)[],"failures": number,"form": string,"id": string,"last_used": string,"name": string,"project_id": string,"sessions": number,"signature"?: string | null,"status"?: string,"successes": number,"template": NonNullable<Json>,"triggers"?: (string)[],"type": string,"updated_at"?: string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Update: {
                    "created_at"?: string,"episodes"?: number,"evidence"?: (string)[],"failures"?: number,"form"?: string,"id"?: string,"last_used"?: string,"name"?: string,"project_id"?: string,"sessions"?: number,"signature"?: string | null,"status"?: string,"successes"?: number,"template"?: NonNullable<Json>,"triggers"?: (string)[],"type"?: string,"updated_at"?: string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "patterns_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "patterns_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"plan_changes": {
                  Row: {
                    "action": string,"actor": string | null,"id": number,"image": NonNullable<Json>,"plan_id": string,"recorded_at": string,"step": number,"user_id": string,"version": number
                  }
                  ComputedFields: never
                  Insert: {
                    "action": string,"actor"?: string | null,"id"?: never,"image": NonNullable<Json>,"plan_id": string,"recorded_at": string,"step": number,"user_id"?: string,"version": number
                  }
                  Update: {
                    "action"?: string,"actor"?: string | null,"id"?: never,"image"?: NonNullable<Json>,"plan_id"?: string,"recorded_at"?: string,"step"?: number,"user_id"?: string,"version"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "plan_changes_plan"
      columns: ["user_id","plan_id"]
isOneToOne: false
      referencedRelation: "plans"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"plan_steps": {
                  Row: {
                    "agent_id": string | null,"assigned_to": string | null,"attempts": number,"changed_by": string | null,"dependencies": (number)[],"description": string,"ended_at": string | null,"holder": string | null,"id": string,"lease_until": string | null,"number": number,"outcome": string | null,"plan_id": string,"proposed": boolean,"report": Json | null,"session_id": string | null,"started_at": string | null,"status": string,"tool_use_id": string | null,"user_id": string,"waiting_for": string | null,"does_step_wait": boolean | null,"is_step_held": boolean | null
                  }
                  ComputedFields: "does_step_wait" | "is_step_held"
                  Insert: {
                    "agent_id"?: string | null,"assigned_to"?: string | null,"attempts"?: number,"changed_by"?: string | null,"dependencies"?: (number)[],"description": string,"ended_at"?: string | null,"holder"?: string | null,"id"?: string,"lease_until"?: string | null,"number": number,"outcome"?: string | null,"plan_id": string,"proposed"?: boolean,"report"?: Json | null,"session_id"?: string | null,"started_at"?: string | null,"status"?: string,"tool_use_id"?: string | null,"user_id"?: string,"waiting_for"?: string | null
                  }
                  Update: {
                    "agent_id"?: string | null,"assigned_to"?: string | null,"attempts"?: number,"changed_by"?: string | null,"dependencies"?: (number)[],"description"?: string,"ended_at"?: string | null,"holder"?: string | null,"id"?: string,"lease_until"?: string | null,"number"?: number,"outcome"?: string | null,"plan_id"?: string,"proposed"?: boolean,"report"?: Json | null,"session_id"?: string | null,"started_at"?: string | null,"status"?: string,"tool_use_id"?: string | null,"user_id"?: string,"waiting_for"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "plan_steps_plan"
      columns: ["user_id","plan_id"]
isOneToOne: false
      referencedRelation: "plans"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"plans": {
                  Row: {
                    "changed_by": string | null,"closed_at": string | null,"constraints": (string)[],"created_at": string,"drafted_by": string,"goal": string,"id": string,"project_id": string,"session_id": string | null,"status": string,"updated_at": string,"user_id": string,"version": number,"plan_itself": Json | null
                  }
                  ComputedFields: "plan_itself"
                  Insert: {
                    "changed_by"?: string | null,"closed_at"?: string | null,"constraints"?: (string)[],"created_at"?: string,"drafted_by": string,"goal": string,"id"?: string,"project_id": string,"session_id"?: string | null,"status"?: string,"updated_at"?: string,"user_id"?: string,"version"?: number
                  }
                  Update: {
                    "changed_by"?: string | null,"closed_at"?: string | null,"constraints"?: (string)[],"created_at"?: string,"drafted_by"?: string,"goal"?: string,"id"?: string,"project_id"?: string,"session_id"?: string | null,"status"?: string,"updated_at"?: string,"user_id"?: string,"version"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "plans_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"profiles": {
                  Row: {
                    "auth_id": string | null,"created_at": string,"name": string,"removed_at": string | null,"role": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "auth_id"?: string | null,"created_at"?: string,"name": string,"removed_at"?: string | null,"role": string,"user_id"?: string
                  }
                  Update: {
                    "auth_id"?: string | null,"created_at"?: string,"name"?: string,"removed_at"?: string | null,"role"?: string,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"projects": {
                  Row: {
                    "also": (string)[],"created_at": string,"id": string,"last_activity": string,"name": string,"permissions": string | null,"roots": (string)[],"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "also"?: (string)[],"created_at"?: string,"id"?: string,"last_activity"?: string,"name": string,"permissions"?: string | null,"roots"?: (string)[],"user_id"?: string
                  }
                  Update: {
                    "also"?: (string)[],"created_at"?: string,"id"?: string,"last_activity"?: string,"name"?: string,"permissions"?: string | null,"roots"?: (string)[],"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "projects_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"push_subscriptions": {
                  Row: {
                    "auth": string,"created_at": string,"endpoint": string,"key_id": string,"p256dh": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "auth": string,"created_at"?: string,"endpoint": string,"key_id": string,"p256dh": string,"user_id"?: string
                  }
                  Update: {
                    "auth"?: string,"created_at"?: string,"endpoint"?: string,"key_id"?: string,"p256dh"?: string,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"push_told": {
                  Row: {
                    "code": string,"told_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "code": string,"told_at"?: string,"user_id"?: string
                  }
                  Update: {
                    "code"?: string,"told_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"relations": {
                  Row: {
                    "agent": string | null,"attributes": NonNullable<Json>,"closed_by": string | null,"confirmations": number,"confirmed_at": string,"evidence": string | null,"from_entity": string,"from_key": string,"from_type": string,"id": string,"opened_by": string,"project_id": string | null,"recorded_at": string,"recorded_until": string | null,"relation": string,"scope_id": string,"session_id": string | null,"source": string | null,"subject": string,"tier": string,"to_entity": string,"to_key": string,"to_type": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "agent"?: string | null,"attributes"?: NonNullable<Json>,"closed_by"?: string | null,"confirmations"?: number,"confirmed_at"?: string,"evidence"?: string | null,"from_entity"?: never,"from_key": string,"from_type": string,"id"?: string,"opened_by"?: string,"project_id"?: string | null,"recorded_at"?: string,"recorded_until"?: string | null,"relation": string,"scope_id"?: never,"session_id"?: string | null,"source"?: string | null,"subject"?: never,"tier": string,"to_entity"?: never,"to_key": string,"to_type": string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Update: {
                    "agent"?: string | null,"attributes"?: NonNullable<Json>,"closed_by"?: string | null,"confirmations"?: number,"confirmed_at"?: string,"evidence"?: string | null,"from_entity"?: never,"from_key"?: string,"from_type"?: string,"id"?: string,"opened_by"?: string,"project_id"?: string | null,"recorded_at"?: string,"recorded_until"?: string | null,"relation"?: string,"scope_id"?: never,"session_id"?: string | null,"source"?: string | null,"subject"?: never,"tier"?: string,"to_entity"?: never,"to_key"?: string,"to_type"?: string,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "relations_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "relations_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"search_documents": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number,"confirmed_at": string,"content": string,"context": string | null,"embed_after": string,"embed_attempts": number,"embed_error": string | null,"embedding": string | null,"embedding_model": string | null,"half_life_days": number,"has_breadcrumbs": boolean,"id": string,"kind": string,"label": string | null,"links": (string)[],"mentions": (string)[],"message_type": string | null,"part": number,"private": boolean,"project_id": string | null,"shelf": string,"source_id": string,"telling": number,"terms": unknown,"tsv": unknown,"user_id": string,"valid_from": string,"valid_until": string | null,"words": number
                  }
                  ComputedFields: never
                  Insert: {
                    "agent"?: string | null,"channel"?: string | null,"confidence": number,"confirmed_at": string,"content": string,"context"?: string | null,"embed_after"?: string,"embed_attempts"?: number,"embed_error"?: string | null,"embedding"?: string | null,"embedding_model"?: string | null,"half_life_days"?: number,"has_breadcrumbs"?: boolean,"id"?: string,"kind": string,"label"?: string | null,"links"?: (string)[],"mentions"?: (string)[],"message_type"?: string | null,"part"?: number,"private"?: boolean,"project_id"?: string | null,"shelf"?: string,"source_id": string,"telling"?: number,"terms"?: unknown,"tsv"?: unknown,"user_id"?: string,"valid_from": string,"valid_until"?: string | null,"words"?: number
                  }
                  Update: {
                    "agent"?: string | null,"channel"?: string | null,"confidence"?: number,"confirmed_at"?: string,"content"?: string,"context"?: string | null,"embed_after"?: string,"embed_attempts"?: number,"embed_error"?: string | null,"embedding"?: string | null,"embedding_model"?: string | null,"half_life_days"?: number,"has_breadcrumbs"?: boolean,"id"?: string,"kind"?: string,"label"?: string | null,"links"?: (string)[],"mentions"?: (string)[],"message_type"?: string | null,"part"?: number,"private"?: boolean,"project_id"?: string | null,"shelf"?: string,"source_id"?: string,"telling"?: number,"terms"?: unknown,"tsv"?: unknown,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null,"words"?: number
                  }
                  Relationships: [
                    
                  ]
                },"searches": {
                  Row: {
                    "id": string,"not_useful": (string)[],"project_id": string | null,"rated_at": string | null,"results": (string)[],"searched_at": string,"useful": (string)[],"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "id": string,"not_useful"?: (string)[],"project_id"?: string | null,"rated_at"?: string | null,"results": (string)[],"searched_at"?: string,"useful"?: (string)[],"user_id"?: string
                  }
                  Update: {
                    "id"?: string,"not_useful"?: (string)[],"project_id"?: string | null,"rated_at"?: string | null,"results"?: (string)[],"searched_at"?: string,"useful"?: (string)[],"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "searches_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"session_audits": {
                  Row: {
                    "answer": Json | null,"attempts": number,"created_at": string,"error": string | null,"evaluated_by": string | null,"finished_at": string | null,"id": string,"project_id": string,"reason": string | null,"run_after": string,"session_id": string | null,"status": string,"tokens": number,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "answer"?: Json | null,"attempts"?: number,"created_at"?: string,"error"?: string | null,"evaluated_by"?: string | null,"finished_at"?: string | null,"id"?: string,"project_id": string,"reason"?: string | null,"run_after"?: string,"session_id"?: string | null,"status"?: string,"tokens"?: number,"user_id"?: string
                  }
                  Update: {
                    "answer"?: Json | null,"attempts"?: number,"created_at"?: string,"error"?: string | null,"evaluated_by"?: string | null,"finished_at"?: string | null,"id"?: string,"project_id"?: string,"reason"?: string | null,"run_after"?: string,"session_id"?: string | null,"status"?: string,"tokens"?: number,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "session_audits_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "session_audits_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: true
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"session_measures": {
                  Row: {
                    "calls": number,"commands": number,"errors": number,"measured_at": string,"prompts": number,"repeated_errors": number,"session_id": string,"started_at": string,"user_id": string,"working_ms": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "calls": number,"commands": number,"errors": number,"measured_at"?: string,"prompts": number,"repeated_errors": number,"session_id": string,"started_at": string,"user_id"?: string,"working_ms"?: number | null
                  }
                  Update: {
                    "calls"?: number,"commands"?: number,"errors"?: number,"measured_at"?: string,"prompts"?: number,"repeated_errors"?: number,"session_id"?: string,"started_at"?: string,"user_id"?: string,"working_ms"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "session_measures_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: true
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"sessions": {
                  Row: {
                    "arm": string | null,"branch": string | null,"client_session_id": string,"complexity": string | null,"cwd": string | null,"ended_at": string | null,"errors_encountered": number,"files_modified": (string)[],"id": string,"last_activity": string,"mode": string,"model": string | null,"outcome": string | null,"plan_id": string | null,"project_id": string,"root": string | null,"short_title": string | null,"started_at": string,"starts": number,"status": string,"summary": string | null,"task_description": string | null,"task_type": string | null,"tokens": number | null,"tools_used": NonNullable<Json>,"transcript_path": string | null,"user_id": string,"waiting_for": string | null,"waits": NonNullable<Json>
                  }
                  ComputedFields: never
                  Insert: {
                    "arm"?: string | null,"branch"?: string | null,"client_session_id": string,"complexity"?: string | null,"cwd"?: string | null,"ended_at"?: string | null,"errors_encountered"?: number,"files_modified"?: (string)[],"id"?: string,"last_activity"?: string,"mode"?: string,"model"?: string | null,"outcome"?: string | null,"plan_id"?: string | null,"project_id": string,"root"?: string | null,"short_title"?: string | null,"started_at"?: string,"starts"?: number,"status"?: string,"summary"?: string | null,"task_description"?: string | null,"task_type"?: string | null,"tokens"?: number | null,"tools_used"?: NonNullable<Json>,"transcript_path"?: string | null,"user_id"?: string,"waiting_for"?: string | null,"waits"?: NonNullable<Json>
                  }
                  Update: {
                    "arm"?: string | null,"branch"?: string | null,"client_session_id"?: string,"complexity"?: string | null,"cwd"?: string | null,"ended_at"?: string | null,"errors_encountered"?: number,"files_modified"?: (string)[],"id"?: string,"last_activity"?: string,"mode"?: string,"model"?: string | null,"outcome"?: string | null,"plan_id"?: string | null,"project_id"?: string,"root"?: string | null,"short_title"?: string | null,"started_at"?: string,"starts"?: number,"status"?: string,"summary"?: string | null,"task_description"?: string | null,"task_type"?: string | null,"tokens"?: number | null,"tools_used"?: NonNullable<Json>,"transcript_path"?: string | null,"user_id"?: string,"waiting_for"?: string | null,"waits"?: NonNullable<Json>
                  }
                  Relationships: [
                    {
      foreignKeyName: "sessions_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"settings": {
                  Row: {
                    "claude_login": boolean,"model_spending": boolean,"permissions": string,"shapes": boolean,"updated_at": string,"user_id": string,"voice": NonNullable<Json>
                  }
                  ComputedFields: never
                  Insert: {
                    "claude_login"?: boolean,"model_spending"?: boolean,"permissions"?: string,"shapes"?: boolean,"updated_at"?: string,"user_id"?: string,"voice"?: NonNullable<Json>
                  }
                  Update: {
                    "claude_login"?: boolean,"model_spending"?: boolean,"permissions"?: string,"shapes"?: boolean,"updated_at"?: string,"user_id"?: string,"voice"?: NonNullable<Json>
                  }
                  Relationships: [
                    
                  ]
                },"skill_logs": {
                  Row: {
                    "agent_id": string | null,"at": string,"id": string,"project_id": string | null,"result": string,"session_id": string | null,"skill": string,"tool_use_id": string | null,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "agent_id"?: string | null,"at"?: string,"id"?: string,"project_id"?: string | null,"result": string,"session_id"?: string | null,"skill": string,"tool_use_id"?: string | null,"user_id"?: string
                  }
                  Update: {
                    "agent_id"?: string | null,"at"?: string,"id"?: string,"project_id"?: string | null,"result"?: string,"session_id"?: string | null,"skill"?: string,"tool_use_id"?: string | null,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "skill_logs_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "skill_logs_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    },{
      foreignKeyName: "skill_logs_user_id_session_id_sessions_user_id_id_fk"
      columns: ["user_id","session_id"]
isOneToOne: false
      referencedRelation: "sessions"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"skills": {
                  Row: {
                    "content": string,"description": string,"files": NonNullable<Json>,"front_matter": string,"id": string,"name": string,"project_id": string | null,"scope": string,"user_id": string,"valid_from": string,"valid_until": string | null,"skill_document": string | null
                  }
                  ComputedFields: "skill_document"
                  Insert: {
                    "content": string,"description": string,"files"?: NonNullable<Json>,"front_matter"?: string,"id"?: string,"name": string,"project_id"?: string | null,"scope"?: never,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Update: {
                    "content"?: string,"description"?: string,"files"?: NonNullable<Json>,"front_matter"?: string,"id"?: string,"name"?: string,"project_id"?: string | null,"scope"?: never,"user_id"?: string,"valid_from"?: string,"valid_until"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "skills_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "skills_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"transcript_cursors": {
                  Row: {
                    "offset": number,"path": string,"updated_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "offset": number,"path": string,"updated_at"?: string,"user_id"?: string
                  }
                  Update: {
                    "offset"?: number,"path"?: string,"updated_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "transcript_cursors_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    }
                  ]
                },"turns": {
                  Row: {
                    "branch": string | null,"ended_at": string | null,"id": string,"project_id": string,"prompt": string,"said": string | null,"session": string,"start_key": string,"started_at": string,"user_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "branch"?: string | null,"ended_at"?: string | null,"id"?: string,"project_id": string,"prompt": string,"said"?: string | null,"session": string,"start_key": string,"started_at": string,"user_id"?: string
                  }
                  Update: {
                    "branch"?: string | null,"ended_at"?: string | null,"id"?: string,"project_id"?: string,"prompt"?: string,"said"?: string | null,"session"?: string,"start_key"?: string,"started_at"?: string,"user_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "turns_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                }
          }
          Views: {
            "searchable": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string | null,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string | null,"source_id": string | null,"user_id": string | null,"valid_from": string | null,"valid_until": string | null
                  }
                  ComputedFields: never
                  Relationships: [
                    
                  ]
                },"searchable_conversation": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string | null,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: never,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: never
                         }
                        Update: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: never,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: never
                         }
                        Relationships: [
                    {
      foreignKeyName: "turns_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_decision": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string | null,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: number | null,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: number | null,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "decisions_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "decisions_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_episode": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string | null,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: never,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: never
                         }
                        Update: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: never,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: never
                         }
                        Relationships: [
                    {
      foreignKeyName: "episodes_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_error": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string | null,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: never,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: never
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: never,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: never
                         }
                        Relationships: [
                    {
      foreignKeyName: "incidents_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_fact": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string | null,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "facts_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "facts_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_finding": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "findings_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_learning": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: number | null,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: number | null,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "learnings_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_note": {
                  Row: {
                    "agent": string | null,"channel": string,"confidence": number,"confirmed_at": string,"content": string,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string | null,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: string | null,"confidence"?: number | null,"confirmed_at"?: string | null,"content"?: string | null,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: string | null,"confidence"?: number | null,"confirmed_at"?: string | null,"content"?: string | null,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "notes_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "notes_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_pattern": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "patterns_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "patterns_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_relation": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string | null,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: string | null,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "relations_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "relations_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                },"searchable_skill": {
                  Row: {
                    "agent": string | null,"channel": string | null,"confidence": number | null,"confirmed_at": string,"content": string | null,"context": string | null,"half_life_days": number | null,"kind": string | null,"label": string | null,"links": (string)[] | null,"metadata": Json | null,"project_id": string | null,"source_id": string,"user_id": string,"valid_from": string,"valid_until": string | null
                  }
                  ComputedFields: never
                  Insert: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Update: {
                           "agent"?: never,"channel"?: never,"confidence"?: never,"confirmed_at"?: string | null,"content"?: never,"context"?: never,"half_life_days"?: never,"kind"?: never,"label"?: never,"links"?: never,"metadata"?: never,"project_id"?: string | null,"source_id"?: string | null,"user_id"?: string | null,"valid_from"?: string | null,"valid_until"?: string | null
                         }
                        Relationships: [
                    {
      foreignKeyName: "skills_account"
      columns: ["user_id"]
isOneToOne: false
      referencedRelation: "profiles"
      referencedColumns: ["user_id"]
    },{
      foreignKeyName: "skills_user_id_project_id_projects_user_id_id_fk"
      columns: ["user_id","project_id"]
isOneToOne: false
      referencedRelation: "projects"
      referencedColumns: ["user_id","id"]
    }
                  ]
                }
          }
          Functions: {
            "agent_model":
{ Args: { "agent": string,"call": string,"session": string }; Returns: string
                           },
"amendable_documents":
{ Args: { "at": string,"besides": string,"in_project": string,"model": string,"of_kind": string }; Returns: {
              "agent": string | null,
"channel": string | null,
"confidence": number,
"confirmed_at": string,
"content": string,
"context": string | null,
"embed_after": string,
"embed_attempts": number,
"embed_error": string | null,
"embedding": string | null,
"embedding_model": string | null,
"half_life_days": number,
"has_breadcrumbs": boolean,
"id": string,
"kind": string,
"label": string | null,
"links": (string)[],
"mentions": (string)[],
"message_type": string | null,
"part": number,
"private": boolean,
"project_id": string | null,
"shelf": string,
"source_id": string,
"telling": number,
"terms": unknown,
"tsv": unknown,
"user_id": string,
"valid_from": string,
"valid_until": string | null,
"words": number
            }[]
                          SetofOptions: {
        from: "*"
        to: "search_documents"
        isOneToOne: false
        isSetofReturn: true
      } },
"amendment_words":
{ Args: { "body": string }; Returns: Record<string, unknown>
                           },
"bare_words":
{ Args: { "words": string }; Returns: string
                           },
"begin_consolidation":
{ Args: { "by": string,"keep_days": number }; Returns: string
                           },
"blocks":
{ Args: { "one": string,"other": string }; Returns: boolean
                           },
"channel_owner":
{ Args: { "c": Omit<Database["public"]['Tables']["channels"]['Row'], Database["public"]['Tables']["channels"]['ComputedFields']> }; Returns: string
                           },
"channel_type":
{ Args: { "c": Omit<Database["public"]['Tables']["channels"]['Row'], Database["public"]['Tables']["channels"]['ComputedFields']> }; Returns: string
                           },
"claim_step":
{ Args: { "by_holder": string,"in_session"?: string,"lease_seconds": number,"of_plan": string,"shown": string,"step": number,"with_call"?: string }; Returns: string
                           },
"close_lessons":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"close_notes":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"consolidation_stage":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"consolidation_stages":
{ Args: Record<PropertyKey, never>; Returns: (string)[]
                           },
"consolidation_step":
{ Args: { "budget_ms": number }; Returns: string
                           },
"count_first_steps":
{ Args: { "in_project": string }; Returns: {
              "episodes": number,"evidence": (string)[],"failures": number,"form": string,"last_used": string,"name": string,"sessions": number,"signature": string,"successes": number,"template": Json,"triggers": (string)[]
            }[]
                           },
"count_in_run":
{ Args: { "n": number,"name": string,"run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']> }; Returns: undefined
                           },
"count_recoveries":
{ Args: { "in_project": string }; Returns: {
              "episodes": number,"evidence": (string)[],"failures": number,"form": string,"last_used": string,"name": string,"sessions": number,"signature": string,"successes": number,"template": Json,"triggers": (string)[]
            }[]
                           },
"dashboard":
{ Args: { "time_zone": string }; Returns: Json
                           },
"decide_amendment":
{ Args: { "model": string,"of_id": string,"of_kind": string }; Returns: undefined
                           },
"decide_amendments":
{ Args: { "model": string,"most": number }; Returns: number
                           },
"decisions_as_of":
{ Args: { "as_of"?: string,"recorded_as_of"?: string }; Returns: {
              "action": string,
"agent": string | null,
"closed_by": string | null,
"condition": string,
"confidence": number,
"confirmations": number,
"confirmed_at": string,
"evidence": string | null,
"id": string,
"opened_by": string,
"project_id": string | null,
"recorded_at": string,
"recorded_until": string | null,
"scope_id": string,
"session_id": string | null,
"source": string | null,
"stated_until": string | null,
"subject": string,
"tier": string,
"user_id": string,
"valid_from": string,
"valid_until": string | null
            }[]
                          SetofOptions: {
        from: "*"
        to: "decisions"
        isOneToOne: false
        isSetofReturn: true
      } },
"delete_orphaned_search_documents":
{ Args: Record<PropertyKey, never>; Returns: undefined
                           },
"documents_near":
{ Args: { "as_of": string,"breadcrumbs": boolean,"exclude_agent": string,"in_channels": (string)[],"in_kinds": (string)[],"in_project": string,"mentioning": (string)[],"message_types": (string)[],"min_words": number,"model": string,"most": number,"only_agent": string,"query_embedding": string,"shelves": (string)[],"superseded": boolean }; Returns: string[]
                           },
"does_step_wait":
{ Args: { "s": Omit<Database["public"]['Tables']["plan_steps"]['Row'], Database["public"]['Tables']["plan_steps"]['ComputedFields']> }; Returns: boolean
                           },
"end_decision":
{ Args: { "ends": string,"of_id": string }; Returns: boolean
                           },
"end_step":
{ Args: { "by_holder": string,"of_plan": string,"said"?: Json,"shown": string,"step": number,"to_status": string,"what_came"?: string }; Returns: string
                           },
"episode_document":
{ Args: { "e": Omit<Database["public"]['Tables']["episodes"]['Row'], Database["public"]['Tables']["episodes"]['ComputedFields']> }; Returns: string
                           },
"episode_line":
{ Args: { "e": Omit<Database["public"]['Tables']["episodes"]['Row'], Database["public"]['Tables']["episodes"]['ComputedFields']> }; Returns: string
                           },
"expire_checks":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"expire_events":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"facts_as_of":
{ Args: { "as_of"?: string,"recorded_as_of"?: string }; Returns: {
              "agent": string | null,
"closed_by": string | null,
"confirmations": number,
"confirmed_at": string,
"evidence": string | null,
"id": string,
"key": string,
"opened_by": string,
"project_id": string | null,
"recorded_at": string,
"recorded_until": string | null,
"scope_id": string,
"session_id": string | null,
"source": string | null,
"subject": string,
"tier": string,
"type": string,
"user_id": string,
"valid_from": string,
"valid_until": string | null,
"value": NonNullable<Json>
            }[]
                          SetofOptions: {
        from: "*"
        to: "facts"
        isOneToOne: false
        isSetofReturn: true
      } },
"first_steps":
{ Args: { "steps": Json }; Returns: (string)[]
                           },
"forget_amendments":
{ Args: { "of_id": string,"of_kind": string,"owner": string }; Returns: undefined
                           },
"free_expired_steps":
{ Args: Record<PropertyKey, never>; Returns: number
                           },
"has_worked":
{ Args: { "session": string }; Returns: boolean
                           },
"hold_plan":
{ Args: { "of_plan": string }; Returns: string
                           },
"incident_call":
{ Args: { "i": Omit<Database["public"]['Tables']["incidents"]['Row'], Database["public"]['Tables']["incidents"]['ComputedFields']> }; Returns: string
                           },
"incident_outcome":
{ Args: { "i": Omit<Database["public"]['Tables']["incidents"]['Row'], Database["public"]['Tables']["incidents"]['ComputedFields']> }; Returns: string
                           },
"index_health":
{ Args: { "model": string }; Returns: Record<string, unknown>
                           },
"index_records":
{ Args: { "ids": (string)[],"of_kind": string,"owner": string }; Returns: undefined
                           },
"is_at_work":
{ Args: { "session": string }; Returns: boolean
                           },
"is_error":
{ Args: { "i": Omit<Database["public"]['Tables']["incidents"]['Row'], Database["public"]['Tables']["incidents"]['ComputedFields']> }; Returns: boolean
                           },
"is_inside":
{ Args: { "except_folders": (string)[],"folders": (string)[],"path": string }; Returns: boolean
                           },
"is_persons_prompt":
{ Args: { "payload": Json }; Returns: boolean
                           },
"is_step_held":
{ Args: { "s": Omit<Database["public"]['Tables']["plan_steps"]['Row'], Database["public"]['Tables']["plan_steps"]['ComputedFields']> }; Returns: boolean
                           },
"join_projects":
{ Args: { "source": string,"target": string }; Returns: {
              "kind": string,"moved": number,"stayed": number
            }[]
                           },
"keep_looked":
{ Args: { "seen": Json }; Returns: Record<string, unknown>
                           },
"keep_plan_version":
{ Args: { "action": string,"by_whom": string,"image": Json,"of_plan": string,"step": number }; Returns: undefined
                           },
"keep_turns":
{ Args: { "in_session": string,"whole": boolean }; Returns: undefined
                           },
"learning_confidence":
{ Args: { "failures": number,"prior": number,"successes": number }; Returns: number
                           },
"learning_document":
{ Args: { "l": Omit<Database["public"]['Tables']["learnings"]['Row'], Database["public"]['Tables']["learnings"]['ComputedFields']> }; Returns: string
                           },
"leave_audits_to_agents":
{ Args: { "most": number }; Returns: undefined
                           },
"lesson_floor":
{ Args: Record<PropertyKey, never>; Returns: number
                           },
"lessons_to_close":
{ Args: { "at": string,"most": number }; Returns: {
              "id": string,"reason": string
            }[]
                           },
"lessons_to_merge":
{ Args: { "most": number }; Returns: {
              "id": string,"keep": string,"reason": string
            }[]
                           },
"lexeme_frequencies":
{ Args: { "in_project": string,"lexemes": (string)[],"shelves": (string)[] }; Returns: Record<string, unknown>
                           },
"lock_plan":
{ Args: { "of_plan": string }; Returns: {
              "changed_by": string | null,
"closed_at": string | null,
"constraints": (string)[],
"created_at": string,
"drafted_by": string,
"goal": string,
"id": string,
"project_id": string,
"session_id": string | null,
"status": string,
"updated_at": string,
"user_id": string,
"version": number
            }
                          SetofOptions: {
        from: "*"
        to: "plans"
        isOneToOne: true
        isSetofReturn: false
      } },
"make_decision":
{ Args: { "after": string,"stated": Json }; Returns: Record<string, unknown>
                           },
"measure_counts":
{ Args: { "since": string }; Returns: {
              "name": string,"part": number,"whole": number
            }[]
                           },
"measure_session":
{ Args: { "in_session": string }; Returns: Record<string, unknown>
                           },
"merge_lessons":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"metrics_by_day":
{ Args: { "since": string }; Returns: {
              "check_p50": number,"check_p95": number,"checks": number,"day": string,"errors": number,"repeated_errors": number,"repeating": number,"sessions": number
            }[]
                           },
"mine_at_night":
{ Args: { "run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']>,"until": string }; Returns: boolean
                           },
"mine_patterns":
{ Args: { "in_project": string }; Returns: undefined
                           },
"neighbourhood":
{ Args: { "as_of"?: string,"direction"?: string,"hops"?: number,"in_project"?: string,"most"?: number,"of_key": string,"of_type": string,"recorded_as_of"?: string }; Returns: {
              "edge": Database["public"]['Tables']["relations"]['Row'],"hop": number
            }[]
                           },
"note_agent":
{ Args: { "at": string,"named": string }; Returns: undefined
                           },
"note_context":
{ Args: { "n": Omit<Database["public"]['Tables']["notes"]['Row'], Database["public"]['Tables']["notes"]['ComputedFields']> }; Returns: string
                           },
"note_label":
{ Args: { "n": Omit<Database["public"]['Tables']["notes"]['Row'], Database["public"]['Tables']["notes"]['ComputedFields']> }; Returns: string
                           },
"note_links":
{ Args: { "metadata": Json }; Returns: (string)[]
                           },
"note_resembling":
{ Args: { "finding": string,"near": (string)[] }; Returns: undefined
                           },
"note_speaker":
{ Args: { "n": Omit<Database["public"]['Tables']["notes"]['Row'], Database["public"]['Tables']["notes"]['ComputedFields']> }; Returns: string
                           },
"note_step":
{ Args: { "of_plan": string,"shown": string,"step": number,"words": string,"writer": string }; Returns: string
                           },
"notes_to_close":
{ Args: { "at": string,"most": number }; Returns: {
              "id": string,"reason": string
            }[]
                           },
"numbers_in":
{ Args: { "words": string }; Returns: (string)[]
                           },
"own_project":
{ Args: Record<PropertyKey, never>; Returns: string
                           },
"plan_circle":
{ Args: { "of_plan": string }; Returns: (number)[]
                           },
"plan_clock":
{ Args: Record<PropertyKey, never>; Returns: string
                           },
"plan_itself":
{ Args: { "p": Omit<Database["public"]['Tables']["plans"]['Row'], Database["public"]['Tables']["plans"]['ComputedFields']> }; Returns: Json
                           },
"plan_step_action":
{ Args: { "before": Omit<Database["public"]['Tables']["plan_steps"]['Row'], Database["public"]['Tables']["plan_steps"]['ComputedFields']>,"now_is": Omit<Database["public"]['Tables']["plan_steps"]['Row'], Database["public"]['Tables']["plan_steps"]['ComputedFields']> }; Returns: string
                           },
"propose_status":
{ Args: { "episode": string,"files": (string)[],"project": string,"root": string,"started": string,"success": boolean }; Returns: undefined
                           },
"queue_amendments":
{ Args: { "documents": (string)[] }; Returns: undefined
                           },
"rebuild_search_documents":
{ Args: { "after": string,"most": number,"of_kind": string }; Returns: string
                           },
"record_event":
{ Args: { "at": string,"begins"?: string,"files": (string)[],"from_source": string,"hook": Json,"in_session": string,"key": string,"on_target": string,"said": string,"task": string,"title": string }; Returns: string
                           },
"record_events":
{ Args: { "entries": Json }; Returns: (string)[]
                           },
"refresh_dashboard_project":
{ Args: { "project": string }; Returns: undefined
                           },
"relations_as_of":
{ Args: { "as_of"?: string,"recorded_as_of"?: string }; Returns: {
              "agent": string | null,
"attributes": NonNullable<Json>,
"closed_by": string | null,
"confirmations": number,
"confirmed_at": string,
"evidence": string | null,
"from_entity": string,
"from_key": string,
"from_type": string,
"id": string,
"opened_by": string,
"project_id": string | null,
"recorded_at": string,
"recorded_until": string | null,
"relation": string,
"scope_id": string,
"session_id": string | null,
"source": string | null,
"subject": string,
"tier": string,
"to_entity": string,
"to_key": string,
"to_type": string,
"user_id": string,
"valid_from": string,
"valid_until": string | null
            }[]
                          SetofOptions: {
        from: "*"
        to: "relations"
        isOneToOne: false
        isSetofReturn: true
      } },
"report_closed":
{ Args: { "after": Json,"before": Json,"id": string,"of_kind": string,"of_table": string,"reason": string,"run": Omit<Database["public"]['Tables']["consolidation_runs"]['Row'], Database["public"]['Tables']["consolidation_runs"]['ComputedFields']> }; Returns: undefined
                           },
"row_change":
{ Args: { "after": Json,"before": Json,"id": string,"of_table": string }; Returns: Json
                           },
"says_same":
{ Args: { "a": string,"a_key": string,"b": string,"b_key": string }; Returns: boolean
                           },
"search_bigrams":
{ Args: { "body": string }; Returns: string
                           },
"search_candidates":
{ Args: { "as_of": string,"breadcrumbs": boolean,"counts": (number)[],"exclude_agent": string,"in_channels": (string)[],"in_kinds": (string)[],"in_project": string,"lexemes": (string)[],"mentioning": (string)[],"message_types": (string)[],"min_words": number,"model": string,"only_agent": string,"query_embedding": string,"shelves": (string)[],"size": number,"superseded": boolean,"texts": number }; Returns: Record<string, unknown>
                           },
"search_filtered":
{ Args: { "asked": Json,"in_project": string }; Returns: Record<string, unknown>
                           },
"search_filters":
{ Args: { "body": string,"metadata": Json }; Returns: Record<string, unknown>
                           },
"search_hybrid":
{ Args: { "as_of"?: string,"breadcrumbs"?: boolean,"exclude_agent"?: string,"in_channels"?: (string)[],"in_kinds": (string)[],"in_project": string,"max_age_days"?: number,"max_rows": number,"mentioning"?: (string)[],"message_types"?: (string)[],"min_confidence"?: number,"min_words"?: number,"model": string,"only_agent"?: string,"per_kind"?: number,"query": string,"query_embedding": string,"superseded"?: boolean }; Returns: {
              "age_days": number,"amended": number,"confidence": number,"confidence_factor": number,"content": string,"exact": boolean,"in_scope": number,"kind": string,"lexical": number,"link_factor": number,"project_id": string,"recency_factor": number,"relevance": number,"score": number,"similarity": number,"source_id": string,"sure": number,"telling_factor": number,"valid_from": string,"valid_until": string,"variety_factor": number
            }[]
                           },
"search_identifiers":
{ Args: { "body": string }; Returns: unknown
                           },
"search_is_common":
{ Args: { "lexeme": string }; Returns: boolean
                           },
"search_is_english":
{ Args: { "words": string }; Returns: boolean
                           },
"search_lexemes":
{ Args: { "body": string,"context"?: string }; Returns: unknown
                           },
"search_parts":
{ Args: { "body": string }; Returns: {
              "content": string,"part": number
            }[]
                           },
"search_passing":
{ Args: { "breadcrumbs": boolean,"exclude_agent": string,"in_channels": (string)[],"in_project": string,"mentioning": (string)[],"message_types": (string)[],"min_words": number,"most": number,"only_agent": string }; Returns: (string)[]
                           },
"search_shelf":
{ Args: { "kind": string }; Returns: string
                           },
"search_shelves":
{ Args: { "kinds": (string)[] }; Returns: (string)[]
                           },
"search_stems":
{ Args: { "words": string }; Returns: unknown
                           },
"search_telling":
{ Args: { "body": string,"context": string }; Returns: number
                           },
"search_term":
{ Args: { "lexeme": string }; Returns: number
                           },
"search_terms":
{ Args: { "lexemes": unknown }; Returns: unknown
                           },
"search_weights":
{ Args: { "counts": (number)[],"lexemes": (string)[],"texts": number }; Returns: Record<string, unknown>
                           },
"search_words":
{ Args: { "body": string }; Returns: string
                           },
"searchable_kinds":
{ Args: Record<PropertyKey, never>; Returns: string[]
                           },
"session_metrics":
{ Args: { "since": string }; Returns: {
              "medians": Json,"repeating": number,"sessions": number,"side": string
            }[]
                           },
"settle_decision":
{ Args: { "of_id": string }; Returns: undefined
                           },
"settle_patterns":
{ Args: Record<PropertyKey, never>; Returns: undefined
                           },
"settle_plan":
{ Args: { "of_plan": string,"shown": string }; Returns: undefined
                           },
"skill_document":
{ Args: { "s": Omit<Database["public"]['Tables']["skills"]['Row'], Database["public"]['Tables']["skills"]['ComputedFields']> }; Returns: string
                           },
"skill_outcome":
{ Args: { "offered": string,"project": string,"session": string,"since": string }; Returns: string
                           },
"solving_steps":
{ Args: { "resolution": Json }; Returns: (string)[]
                           },
"statement_metadata":
{ Args: { "agent": string,"confirmations": number,"evidence": string,"recorded_at": string,"session_id": string,"source": string,"tier": string }; Returns: Json
                           },
"store_observations":
{ Args: { "daily_bytes": number,"outputs": Json,"sources": Json }; Returns: undefined
                           },
"temporal_begin":
{ Args: { "in_scope": string,"of_subject": string,"of_table": unknown }; Returns: string
                           },
"temporal_change":
{ Args: { "at": string,"closing": (string)[],"kind": string,"of_table": unknown,"opening": (Json)[] }; Returns: undefined
                           },
"temporal_end":
{ Args: { "by_tier": string,"ends": string,"in_scope": string,"of_subject": string,"of_table": unknown }; Returns: Json
                           },
"temporal_now":
{ Args: { "at": string }; Returns: string
                           },
"temporal_period":
{ Args: { "of_row": Json }; Returns: unknown
                           },
"temporal_put":
{ Args: { "of_subject": string,"of_table": unknown,"stated": Json,"value_column": string }; Returns: Json
                           },
"temporal_rows":
{ Args: { "before"?: string,"in_scope": string,"of_subject": string,"of_table": unknown }; Returns: Json[]
                           },
"temporal_subject":
{ Args: { "parts": (string)[] }; Returns: string
                           },
"temporal_undo":
{ Args: { "in_scope": string,"of_subject": string,"of_table": unknown,"statement"?: string }; Returns: Json
                           },
"temporal_weight":
{ Args: { "tier": string }; Returns: number
                           },
"tier_confidence":
{ Args: { "tier": string }; Returns: number
                           },
"told_counts":
{ Args: { "since": string }; Returns: {
              "failed": number,"helped": number,"kind": string,"median": number,"sessions": number,"tokens": number,"told": number,"unused": number,"withheld": number
            }[]
                           },
"undo_consolidation":
{ Args: { "item": string }; Returns: string
                           },
"waiting_commands":
{ Args: Record<PropertyKey, never>; Returns: {
              "about": Json,"checked_at": string,"code": string,"command": string,"project": string,"reason": string
            }[]
                           },
"waits_after":
{ Args: { "at": string,"begins": string,"call": string,"hook": Json,"waits": Json }; Returns: Json
                           }
          }
          Enums: {
            [_ in never]: never
          }
          CompositeTypes: {
            [_ in never]: never
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "public": {
          Enums: {
            
          }
        }
} as const
