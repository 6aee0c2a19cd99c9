-- The networks from which alone a key or a connection may be used, as addresses and CIDR blocks in one spelling (docs/decisions/0108). Null: from
-- anywhere. A program of before does not look at them: until every machine runs this one, a bound key works from anywhere there.
alter table api_key add networks text[] collate "C";
