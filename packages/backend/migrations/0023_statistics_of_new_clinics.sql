-- The planner must learn of a clinic while it fills up. A clinic that the statistics do not know counts as one row, and then any
-- index that begins with clinic_id seems as good as the primary key: each look-up by id reads the whole clinic. By default the
-- statistics are taken again once a tenth of the table has changed, which a new clinic among large ones may never reach: its first
-- records were stored at a fifteenth of the usual rate.
alter table patient set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table patient_contact set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table patient_name set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table appointment set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table appointment_provider set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table treatment_plan set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table treatment set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table payment set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table payment_document set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table call set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table chat_conversation set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table chat_message set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
alter table lead set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);
