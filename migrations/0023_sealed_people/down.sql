do $$
begin
    if exists (select from booking_people where wrapped_key is not null) then
        raise exception 'run wayfarectl people unseal first';
    end if;
end $$;
drop table people_erasures;
alter table idempotency_keys drop column sealed_answer;
drop table supplier_answers;
drop table booking_names;
drop table booking_people;
